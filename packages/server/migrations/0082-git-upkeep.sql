-- What the upkeep of git folders knows about each repository: figures, and when to look at the folder again.
create table git_upkeep (
  repo_id text primary key references repositories (id) on delete cascade,
  -- When to look at the folder; null until the repository changes.
  due_at bigint,
  -- When to look for objects that no ref leads to; null if there were none and nothing has changed.
  prune_at bigint,
  -- How often refs have changed since the last look.
  changes integer not null,
  -- When somebody asked for maintenance that has not been done.
  requested_at bigint,
  loose_objects integer not null,
  packs integer not null,
  packed_bytes bigint not null,
  -- The number of packs after the last maintenance.
  settled_packs integer not null,
  -- When the last maintenance ended, and how long it took.
  maintained_at bigint,
  duration_ms integer,
  -- When the last attempt began or failed.
  tried_at bigint,
  failures integer not null,
  -- Why the last attempt failed; null if it succeeded.
  fault text
);
create index git_upkeep_due on git_upkeep (due_at) where due_at is not null;
create index git_upkeep_faults on git_upkeep (failures) where failures > 0;

-- The repository that got or lost a file last, and its owner then: once nobody has the file, reports name them.
alter table blobs add column last_repo_id text;
alter table blobs add column last_owner_id text;
update blobs set last_repo_id = (
  select repo_id from repo_files where repo_files.sha256 = blobs.sha256 order by pushed_at desc, repo_id limit 1
);
update blobs set last_owner_id = (select owner_id from repositories where repositories.id = blobs.last_repo_id);
