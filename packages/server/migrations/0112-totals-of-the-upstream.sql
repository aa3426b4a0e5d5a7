-- The size of all files of the upstream that are kept, and the length of all that is known of its commits: metrics and limits read
-- them, so that nothing sums up the rows each time.
create table upstream_totals (
  -- files: in bytes; facts: in characters.
  what text primary key,
  amount bigint not null
);
insert into upstream_totals (what, amount) select 'files', coalesce(sum(size), 0) from upstream_files;
insert into upstream_totals (what, amount) select 'facts', coalesce(sum(bytes), 0) from upstream_commits;
