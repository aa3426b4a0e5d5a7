-- The environment variables of Spaces. One of value and sealed_value is set: a variable has a value, a secret a sealed one.
create table space_environment (
  id text primary key,
  space_id text not null references repositories (id) on delete cascade,
  key text not null,
  value text,
  sealed_value text,
  description text,
  updated_at bigint not null
);
create unique index space_environment_key on space_environment (space_id, key);

-- The buckets and repositories that a Space is to have as folders, in the order of position.
create table space_volumes (
  id text primary key,
  space_id text not null references repositories (id) on delete cascade,
  source_id text not null references repositories (id) on delete cascade,
  position integer not null,
  mount_path text not null,
  revision text,
  read_only integer not null,
  path text
);
create unique index space_volumes_mount_path on space_volumes (space_id, mount_path);
create index space_volumes_source on space_volumes (source_id);
