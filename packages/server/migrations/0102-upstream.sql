-- What the hub has read from its upstream. Nothing here is owned by anybody, and all of it can be read again.
create table upstream_repos (
  id text primary key,
  type text not null,
  -- The name in lower case, with its namespace.
  name_key text not null,
  name text not null,
  -- open: public there; closed: private, gated or disabled there; gone: not found at the last check.
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
  -- Until when the blob was last held.
  held_until bigint not null,
  used_at bigint not null
);
create index upstream_files_used on upstream_files (used_at, content_id);
create index upstream_files_held on upstream_files (held_until, content_id);
