-- What transactions changed in buckets, for those who follow a bucket; deleted after a day, but for the last one of each bucket.
-- A row of a deleted bucket goes later, in steps, so no foreign key deletes it.
create table bucket_changes (
  bucket_id text not null,
  -- Counts the transactions of the bucket that changed files.
  number bigint not null,
  at bigint not null,
  -- 1 if the bucket was private then.
  private integer not null,
  -- JSON, as streams send it.
  changes text not null,
  primary key (bucket_id, number)
);
create index bucket_changes_by_time on bucket_changes (at);

-- The number of the last change. What changed before this migration counts as one that is no longer there.
alter table bucket_totals add column changes bigint not null default 1;
