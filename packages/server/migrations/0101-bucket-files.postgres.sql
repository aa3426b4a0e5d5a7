-- The files of buckets. A row of a deleted bucket goes later, in steps, so no foreign key deletes it.
create table bucket_files (
  bucket_id text not null,
  -- In the order of bytes.
  path text collate "C" not null,
  -- The blob; the bucket has it as a large file, unless it is empty.
  sha256 text not null,
  -- The hash by which clients of Xet download the file.
  xet_hash text not null,
  size bigint not null,
  -- When the file last changed, as its uploader says.
  mtime bigint not null,
  uploaded_at bigint not null,
  content_type text,
  primary key (bucket_id, path)
);
create index bucket_files_by_blob on bucket_files (bucket_id, sha256);
create index bucket_files_by_hash on bucket_files (bucket_id, xet_hash);

-- The number and the total size of the files of each bucket that ever had one.
create table bucket_totals (
  bucket_id text primary key,
  files bigint not null,
  bytes bigint not null
);

-- Files that clients of Xet sent to a bucket, by the hash that the client has for each, until they have a path in it.
create table xet_uploads (
  repo_id text not null references repositories (id) on delete cascade,
  hash text not null,
  sha256 text not null references blobs (sha256) on delete cascade,
  size bigint not null,
  -- The hash of the chunks into which the hub cuts the file.
  file_hash text not null,
  uploaded_at bigint not null,
  primary key (repo_id, hash)
);
create index xet_uploads_by_blob on xet_uploads (sha256, repo_id);
create index xet_uploads_by_time on xet_uploads (uploaded_at);
