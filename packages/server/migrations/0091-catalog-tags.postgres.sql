-- The tags of the READMEs that were read before.
insert into repo_tags (tag, type, repo_id)
select lower(tag), repositories.type, repositories.id
from repo_cards join repositories on repositories.id = repo_cards.repo_id,
  jsonb_array_elements_text(repo_cards.tags::jsonb) tag
union
select 'model:' || lower(used #>> '{}'), 'space', repositories.id
from repo_cards join repositories on repositories.id = repo_cards.repo_id,
  jsonb_array_elements(case when jsonb_typeof(repo_cards.card::jsonb -> 'models') = 'array' then repo_cards.card::jsonb -> 'models' else '[]' end) used
where repositories.type = 'space' and jsonb_typeof(used) = 'string'
union
select 'dataset:' || lower(used #>> '{}'), 'space', repositories.id
from repo_cards join repositories on repositories.id = repo_cards.repo_id,
  jsonb_array_elements(case when jsonb_typeof(repo_cards.card::jsonb -> 'datasets') = 'array' then repo_cards.card::jsonb -> 'datasets' else '[]' end) used
where repositories.type = 'space' and jsonb_typeof(used) = 'string'
on conflict do nothing;
