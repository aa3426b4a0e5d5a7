-- Repositories whose branches and tags follow a remote. token is sealed together with the url that it is for. user_id and
-- token_id name who set it up, and the access token that was used; token_id is null for a browser session. unfinished counts
-- the attempts that began and never ended; version grows with every change of the settings.
create table mirrors (
  id text primary key references repositories (id) on delete cascade,
  url text not null,
  username text not null,
  token text,
  interval_seconds integer not null,
  user_id text references accounts (id) on delete set null,
  token_id text,
  created_at bigint not null,
  version integer not null,
  due_at bigint not null,
  failures integer not null,
  unfinished integer not null,
  stopped integer not null,
  error text,
  refused text not null,
  progress text,
  synced_at bigint,
  attempted_at bigint,
  duration_ms bigint
);
create index mirrors_due on mirrors (due_at);
create index mirrors_user on mirrors (user_id, due_at);

alter table repositories add column mirrored integer not null default 0;
