-- Of which chunks large files consist, as the hub finds out from their bytes, for clients that download through Xet.
create table xet_files (
  sha256 text primary key references blobs (sha256) on delete cascade,
  -- The hash of the chunks, in the form of URLs; null: the file could not be read.
  hash text,
  size bigint not null,
  -- The blob that lists the chunks.
  chunks_sha256 text references blobs (sha256) on delete cascade,
  -- When to read the file again after a failure.
  retry_at bigint
);
create index xet_files_hash on xet_files (hash);
create index xet_files_chunks on xet_files (chunks_sha256);

-- Successive chunks of such a file, which clients take for a xorb.
create table xet_file_xorbs (
  sha256 text not null references xet_files (sha256) on delete cascade,
  first_chunk bigint not null,
  chunks bigint not null,
  first_byte bigint not null,
  bytes bigint not null,
  hash text not null,
  primary key (sha256, first_chunk)
);
create index xet_file_xorbs_hash on xet_file_xorbs (hash);
