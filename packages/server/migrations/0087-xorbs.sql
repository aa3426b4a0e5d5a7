-- Until when a blob is kept although no repository has it; null: for no time.
alter table blobs add column held_until bigint;

-- The xorbs that an account has: chunks of files as clients of Xet upload them, stored as a blob with an index behind them.
create table xorbs (
  owner_id text not null references accounts (id) on delete cascade,
  -- The hash of the chunks, in the form of URLs.
  hash text not null,
  sha256 text not null references blobs (sha256) on delete cascade,
  -- The size of the blob, index included.
  size bigint not null,
  chunks bigint not null,
  -- When a file was last made of it; null: never.
  referenced_at bigint,
  primary key (owner_id, hash)
);
create index xorbs_sha256 on xorbs (sha256);
create index xorbs_unreferenced on xorbs (owner_id) where referenced_at is null;
