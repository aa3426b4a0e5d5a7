-- What happened, written in the transaction of the change. The relay claims rows that are not done and runs their
-- reactions. lease names the worker that holds a row until due_at; without one, due_at is when it may be claimed.
create table events (
  id text primary key,
  topic text not null,
  created_at bigint not null,
  data text not null,
  due_at bigint not null,
  lease text,
  attempts integer not null default 0,
  done_at bigint
);
create index events_due on events (due_at, id) where done_at is null;
