-- Paths of repositories that only one user may change, as `git lfs lock` sets them.
create table file_locks (
  id text primary key,
  repo_id text not null references repositories (id) on delete cascade,
  path text not null,
  owner_id text not null references accounts (id) on delete cascade,
  locked_at bigint not null,
  unique (repo_id, path)
);
create index file_locks_owner on file_locks (owner_id);
