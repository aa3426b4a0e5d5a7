-- Commits without parents, which are made within transactions: the first one of each repository, and those of branches
-- that begin empty. Their objects reach the disk before the first commit that is written there.
create table root_commits (
  repo_id text not null references repositories (id) on delete cascade,
  sha text not null,
  body text not null,
  primary key (repo_id, sha)
);
