-- Uploaded pictures, one of an account at most. An account that has one points to it: avatar_url is its path.
-- SQLite knows no type bytea and keeps bytes in such a column as they are.
create table avatars (
  account_id text primary key references accounts (id) on delete cascade,
  hash text not null,
  picture bytea not null,
  created_at bigint not null
);
create index avatars_hash on avatars (hash);
