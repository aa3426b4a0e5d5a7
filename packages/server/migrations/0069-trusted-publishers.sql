-- Programs that get short-lived tokens for what their provider, such as a CI service, says of them. A publisher stands on
-- an access token that nobody has in clear, as the grant of an application does. resource_id is a repository or an account.
create table trusted_publishers (
  id text primary key references tokens (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  resource_id text not null,
  issuer text not null,
  claims text not null,
  created_at bigint not null,
  used_at bigint
);
create index trusted_publishers_resource on trusted_publishers (resource_id, issuer);
create index trusted_publishers_user on trusted_publishers (user_id, id);

create table publisher_tokens (
  hash text primary key,
  publisher_id text not null references trusted_publishers (id) on delete cascade,
  -- The SHA-256 of the token of the provider that it was made for, and where that came from first.
  subject_hash text not null,
  address_block text not null,
  created_at bigint not null,
  expires_at bigint not null,
  -- When the token of the provider has expired, too.
  kept_until bigint not null
);
create index publisher_tokens_subject on publisher_tokens (subject_hash);
create index publisher_tokens_publisher on publisher_tokens (publisher_id);
create index publisher_tokens_kept on publisher_tokens (kept_until);
