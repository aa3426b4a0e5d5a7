-- Names that repositories had before they were moved, until something else has such a name.
create table moved_repositories (
  type text not null,
  owner_key text not null,
  name_key text not null,
  repo_id text not null references repositories (id) on delete cascade,
  primary key (type, owner_key, name_key)
);
create index moved_repositories_repo on moved_repositories (repo_id);

-- Repositories whose git folders are still on the disk.
create table deleted_repositories (
  id text primary key,
  deleted_at bigint not null
);
create index deleted_repositories_at on deleted_repositories (deleted_at);
