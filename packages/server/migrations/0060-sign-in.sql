-- How people sign in. A password is kept as an argon2id text, a session and the code of a link as their SHA-256.
create table passwords (
  user_id text primary key references accounts (id) on delete cascade,
  hash text not null,
  changed_at bigint not null
);

-- People sign in with a confirmed address as well.
create index accounts_email on accounts (lower(email)) where email is not null;

create table sessions (
  id text primary key,
  hash text not null unique,
  user_id text not null references accounts (id) on delete cascade,
  method text not null,
  -- The access token that it stands for, where it was begun with one.
  token_id text references tokens (id) on delete cascade,
  created_at bigint not null,
  seen_at bigint not null,
  -- When the person last proved who they are.
  strong_at bigint not null,
  expires_at bigint not null,
  address text not null,
  user_agent text
);
create index sessions_user on sessions (user_id);
create index sessions_token on sessions (token_id) where token_id is not null;
create index sessions_expiry on sessions (expires_at);

create table one_time_links (
  hash text primary key,
  purpose text not null,
  user_id text not null references accounts (id) on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index one_time_links_user on one_time_links (user_id, purpose);
create index one_time_links_expiry on one_time_links (expires_at);

-- Failed attempts to sign in, by what they have in common; a subject is a hash.
create table sign_in_failures (
  subject text primary key,
  failures integer not null,
  first_at bigint not null,
  last_at bigint not null
);
create index sign_in_failures_last on sign_in_failures (last_at);
