-- The backups that the hub writes by itself: one that is written, those that are kept, and the failures of the last weeks.
create table backups (
  id text primary key,
  -- A folder, or the address of a bucket with a prefix.
  place text not null,
  -- The name of the file in the place.
  name text not null,
  -- writing, whole or failed.
  state text not null,
  started_at bigint not null,
  ended_at bigint,
  -- The size of the file with the rows of the database.
  bytes bigint,
  duration_ms bigint,
  -- How many files of repositories were missing or damaged.
  faulty bigint,
  error text
);
create index backups_of_place on backups (place, started_at, id);
