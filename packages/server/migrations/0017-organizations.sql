create table organization_settings (
  org_id text primary key references accounts (id) on delete cascade,
  members_private integer not null default 0,
  group_creators text not null default 'admin',
  join_domains text not null default '[]',
  token_policy text not null default 'any',
  deleted_at bigint
);

create table organization_tokens (
  org_id text,
  token_id text,
  status text not null,
  decided_by text,
  created_at bigint not null,
  decided_at bigint,
  primary key (org_id, token_id)
);

create table invitations (
  id text primary key,
  org_id text not null,
  user_id text,
  email text,
  role text not null,
  invited_by text,
  created_at bigint not null
);
