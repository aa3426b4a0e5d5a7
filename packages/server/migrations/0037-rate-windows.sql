-- How many requests of a subject are reserved in a window: several processes count together here. A single one counts
-- in its memory.
create table rate_windows (
  window_start bigint not null,
  subject text not null,
  used bigint not null,
  primary key (window_start, subject)
);
