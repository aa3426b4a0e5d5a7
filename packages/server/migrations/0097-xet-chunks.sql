-- Chunks by which clients of Xet look for a file that a repository has already: its first one, and those with a hash that
-- clients ask for.
create table xet_file_chunks (
  chunk_hash text not null,
  sha256 text not null references xet_files (sha256) on delete cascade,
  -- The number of the chunk in the file.
  chunk bigint not null,
  primary key (chunk_hash, sha256)
);
create index xet_file_chunks_file on xet_file_chunks (sha256);

-- The hub cuts the files again, to find these chunks.
delete from xet_files;
