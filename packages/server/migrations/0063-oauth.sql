-- Applications that act for users. What an application may do stands on an access token of the user, which nobody has in
-- clear, so that all rules about tokens hold for it; texts and codes are kept as their SHA-256.
create table oauth_apps (
  client_id text primary key,
  owner_id text not null references accounts (id) on delete cascade,
  name text not null,
  -- Of a confidential application; null for one that cannot keep a secret.
  secret_hash text,
  redirects text not null,
  scopes text not null,
  token_minutes integer not null,
  created_at bigint not null
);
create index oauth_apps_owner on oauth_apps (owner_id, created_at);

create table oauth_grants (
  -- The id of the access token that it stands on.
  id text primary key references tokens (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  client_id text not null,
  scopes text not null,
  org_ids text not null,
  address text not null,
  user_agent text,
  created_at bigint not null
);
create index oauth_grants_user on oauth_grants (user_id, id);

create table oauth_codes (
  hash text primary key,
  kind text not null,
  client_id text not null,
  scopes text not null,
  status text not null,
  grant_id text references oauth_grants (id) on delete cascade,
  -- Of a device code.
  user_code_hash text unique,
  interval_seconds integer not null,
  polled_at bigint,
  address_block text not null,
  address text not null,
  user_agent text,
  -- Of an authorization code.
  redirect_uri text,
  challenge text,
  nonce text,
  auth_at bigint,
  created_at bigint not null,
  expires_at bigint not null
);
create index oauth_codes_block on oauth_codes (address_block, expires_at);
create index oauth_codes_expiry on oauth_codes (expires_at);
create index oauth_codes_grant on oauth_codes (grant_id) where grant_id is not null;

create table oauth_tokens (
  hash text primary key,
  kind text not null,
  grant_id text not null references oauth_grants (id) on delete cascade,
  -- The refresh token that it was made with.
  predecessor text,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  -- Of a refresh token: when something that was made with it was first used.
  replaced_at bigint
);
create index oauth_tokens_grant on oauth_tokens (grant_id);
create index oauth_tokens_expiry on oauth_tokens (expires_at);

create table signing_keys (
  id text primary key,
  -- A JSON Web Key: the private one sealed, the public one as it is published.
  private_key text not null,
  public_key text not null,
  created_at bigint not null
);
