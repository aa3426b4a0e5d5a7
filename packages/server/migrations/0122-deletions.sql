-- How many rows or files of each kind retention has deleted since this migration.
create table deletions (
  kind text primary key,
  amount bigint not null,
  last_at bigint not null
);
