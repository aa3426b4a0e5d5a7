-- When a branch or tag last changed.
alter table repositories add column last_modified bigint not null default 0;
update repositories set last_modified = created_at;
create index repositories_owner on repositories (owner_id, id);
create index repositories_owner_modified on repositories (owner_id, last_modified, id);
create index refs_sha on refs (repo_id, sha);

-- title_key is the title in lower case, to search in. head_sha is where refs/pr/N was when it was deleted.
alter table discussions add column pinned integer not null default 0;
alter table discussions add column title_key text not null default '';
alter table discussions add column comment_count integer not null default 0;
alter table discussions add column active_at bigint not null default 0;
alter table discussions add column head_sha text;
update discussions set
  title_key = lower(title),
  comment_count = (
    select count(*) from discussion_events e where e.discussion_id = discussions.id and e.type = 'comment'
  ),
  active_at = coalesce(
    (select max(e.created_at) from discussion_events e where e.discussion_id = discussions.id),
    created_at
  );
create index discussions_newest on discussions (repo_id, pinned, num);
create index discussions_active on discussions (repo_id, pinned, active_at, num);
create index discussions_filter on discussions (repo_id, is_pull_request, status);
create index discussions_repo_author on discussions (repo_id, author_id);
