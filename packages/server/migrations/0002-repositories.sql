create table repositories (
  id text primary key,
  type text not null,
  owner_id text not null references accounts (id),
  name text not null,
  name_key text not null,
  private integer not null default 0,
  created_by text,
  created_at bigint not null,
  head_sha text,
  sdk text,
  gated text,
  discussions_disabled integer not null default 0,
  discussion_count integer not null default 0,
  unique (owner_id, type, name_key)
);

create table refs (
  repo_id text not null references repositories (id) on delete cascade,
  ref text not null,
  sha text not null,
  primary key (repo_id, ref)
);

create table discussions (
  id text primary key,
  repo_id text not null references repositories (id) on delete cascade,
  num integer not null,
  title text not null,
  status text not null,
  is_pull_request integer not null,
  author_id text references accounts (id) on delete set null,
  created_at bigint not null,
  merge_commit_id text,
  unique (repo_id, num)
);
create index discussions_author on discussions (author_id);

-- What happened in a discussion: comments and changes, in the order of their ids. data is JSON by type.
create table discussion_events (
  id text primary key,
  discussion_id text not null references discussions (id) on delete cascade,
  type text not null,
  author_id text references accounts (id) on delete set null,
  created_at bigint not null,
  data text not null
);
create index discussion_events_of on discussion_events (discussion_id, id);
create index discussion_events_author on discussion_events (author_id);
