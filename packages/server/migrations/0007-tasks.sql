-- Work that takes long, done in steps of one transaction each, which holds the row: data is JSON, what the next step
-- needs to know; due_at is when it may begin. A row goes when its task is done. key: of the tasks with the same one
-- there is one.
create table tasks (
  id text primary key,
  kind text not null,
  key text unique,
  data text not null,
  due_at bigint not null,
  attempts integer not null default 0,
  created_at bigint not null
);
create index tasks_due on tasks (due_at, id);
