-- Until when a blob is kept for whoever may end that early, apart from held_until.
alter table blobs add column kept_until bigint;

-- What the hub has read from its upstream. Nothing here is owned by anybody, and all of it can be read again.
create table upstream_repos (
  id text primary key,
  type text not null,
  -- The name in lower case, with its namespace.
  name_key text not null,
  name text not null,
  -- The id of the repository there, by which one that was made anew under the same name is told apart.
  remote_id text,
  -- open: public there, gated: its files are for those who asked, granted: gated and open to the token of this hub,
  -- closed: private or disabled there, gone: not found at the last check.
  state text not null,
  checked_at bigint not null,
  used_at bigint not null,
  unique (type, name_key)
);
create index upstream_repos_used on upstream_repos (used_at, id);

create table upstream_revisions (
  repo_id text not null references upstream_repos (id) on delete cascade,
  revision text not null,
  commit_id text not null,
  checked_at bigint not null,
  primary key (repo_id, revision)
);

-- The commits of which there are facts; commit_id is empty for facts about the whole repository.
create table upstream_commits (
  repo_id text not null references upstream_repos (id) on delete cascade,
  commit_id text not null,
  -- The length of the stored answers.
  bytes bigint not null,
  used_at bigint not null,
  primary key (repo_id, commit_id)
);
create index upstream_commits_used on upstream_commits (used_at, repo_id, commit_id);

create table upstream_answers (
  repo_id text not null,
  commit_id text not null,
  -- A long question is its hash.
  question text not null,
  -- JSON.
  answer text not null,
  -- The cursor of the next page.
  next text,
  fetched_at bigint not null,
  primary key (repo_id, commit_id, question),
  foreign key (repo_id, commit_id) references upstream_commits (repo_id, commit_id) on delete cascade
);

-- The entry at a path of a commit, as JSON; null: there is none.
create table upstream_entries (
  repo_id text not null,
  commit_id text not null,
  path text not null,
  entry text,
  primary key (repo_id, commit_id, path),
  foreign key (repo_id, commit_id) references upstream_commits (repo_id, commit_id) on delete cascade
);

-- The files of which the hub keeps the bytes. content_id is the SHA-256 of a large file, and the id in git of another.
create table upstream_files (
  content_id text primary key,
  sha256 text not null,
  size bigint not null,
  -- Until when the blob is kept at the moment.
  kept_until bigint not null,
  used_at bigint not null
);
create index upstream_files_used on upstream_files (used_at, content_id);
create index upstream_files_kept on upstream_files (kept_until, content_id);
create index upstream_files_blobs on upstream_files (sha256);
