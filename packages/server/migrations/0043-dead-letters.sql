-- What was set aside: it failed too often, or ended the process too often, and its queue goes on without it.
create table dead_letters (
  id text primary key,
  queue text not null,
  item_id text not null,
  kind text not null,
  error text not null,
  failures integer not null,
  deaths integer not null,
  created_at bigint not null,
  set_aside_at bigint not null,
  unique (queue, item_id)
);
