-- Stored bytes by their SHA-256, whoever brought them. A blob that is being deleted is granted to nobody.
create table blobs (
  sha256 text primary key,
  size bigint not null,
  -- arriving, stored, damaged or deleting.
  state text not null,
  -- Since when it is known that no repository has it; null while one does.
  unused_since bigint,
  -- When its bytes were last compared with its name.
  checked_at bigint not null
);
create index blobs_checked on blobs (checked_at);
create index blobs_unused on blobs (unused_since) where unused_since is not null;

-- Which repository may serve which blob. Who knows a SHA-256 has nothing.
create table repo_files (
  repo_id text not null references repositories (id) on delete cascade,
  sha256 text not null references blobs (sha256),
  size bigint not null,
  pusher_id text references accounts (id) on delete set null,
  pushed_at bigint not null,
  -- Where it was first committed.
  filename text,
  ref text,
  primary key (repo_id, sha256)
);
create index repo_files_sha256 on repo_files (sha256);
create index repo_files_pusher on repo_files (pusher_id) where pusher_id is not null;
create index repo_files_pushed on repo_files (repo_id, pushed_at, sha256);
