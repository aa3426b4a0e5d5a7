-- Processes that work in the background: a row that stays behind is that of a process that died.
create table processes (
  id text primary key,
  started_at bigint not null,
  seen_at bigint not null
);

-- After such an end only: what a process has in hand, and how often it was in the hand of one that died.
create table suspects (
  queue text not null,
  item_id text not null,
  deaths integer not null,
  held_by text,
  primary key (queue, item_id)
);
