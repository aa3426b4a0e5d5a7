-- How often files of a repository were downloaded, by day since 1970; day 0 has the sum of all days.
create table repo_downloads (
  repo_id text not null references repositories (id) on delete cascade,
  day integer not null,
  downloads bigint not null,
  primary key (repo_id, day)
);
create index repo_downloads_day on repo_downloads (day);
