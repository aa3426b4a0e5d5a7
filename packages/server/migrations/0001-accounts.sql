create table settings (
  name text primary key,
  value text not null
);

-- Users and organizations: one namespace, unique without regard to case (name_key is the name in lower case).
create table accounts (
  id text primary key,
  kind text not null,
  name text not null,
  name_key text not null unique,
  fullname text not null,
  avatar_url text,
  created_at bigint not null,
  email text,
  pro integer not null default 0,
  site_admin integer not null default 0,
  plan text not null default 'free',
  details text
);

create table tokens (
  id text primary key,
  user_id text not null references accounts (id) on delete cascade,
  display_name text not null,
  role text not null,
  fine_grained text,
  hash text not null unique,
  last4 text not null,
  created_at bigint not null,
  unique (user_id, display_name)
);

create table memberships (
  org_id text not null references accounts (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  role text not null,
  created_at bigint not null,
  primary key (org_id, user_id)
);
create index memberships_user on memberships (user_id);
