-- The tags of the READMEs that were read before.
insert or ignore into repo_tags (tag, type, repo_id)
select lower(tag.value), repositories.type, repositories.id
from repo_cards join repositories on repositories.id = repo_cards.repo_id, json_each(repo_cards.tags) tag
union
select 'model:' || lower(used.value), 'space', repositories.id
from repo_cards join repositories on repositories.id = repo_cards.repo_id,
  json_each(case when json_type(repo_cards.card, '$.models') = 'array' then repo_cards.card -> '$.models' else '[]' end) used
where repositories.type = 'space' and used.type = 'text'
union
select 'dataset:' || lower(used.value), 'space', repositories.id
from repo_cards join repositories on repositories.id = repo_cards.repo_id,
  json_each(case when json_type(repo_cards.card, '$.datasets') = 'array' then repo_cards.card -> '$.datasets' else '[]' end) used
where repositories.type = 'space' and used.type = 'text';
