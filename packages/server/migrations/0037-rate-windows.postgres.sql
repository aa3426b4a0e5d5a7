-- How many requests of a subject are reserved in a window: several processes count together here. Not written to the
-- log: what a crash loses is worth five minutes.
create unlogged table rate_windows (
  window_start bigint not null,
  subject text not null,
  used bigint not null,
  primary key (window_start, subject)
) with (fillfactor = 50);
