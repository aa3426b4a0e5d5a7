-- No row: the defaults. group_creators is the least role that may create resource groups; join_domains is JSON: the
-- e-mail domains whose users may join by themselves. token_policy: any, fine-grained, approval. deleted_at: when it was
-- deleted; until it is purged its account has a name_key that no name has.
create table organization_settings (
  org_id text primary key references accounts (id) on delete cascade,
  members_private integer not null default 0,
  group_creators text not null default 'admin',
  join_domains text not null default '[]',
  token_policy text not null default 'any',
  deleted_at bigint
);
create index organization_settings_deleted on organization_settings (org_id) where deleted_at is not null;
create index organization_settings_policy on organization_settings (org_id) where token_policy <> 'any';

-- What was decided about a member's access token. status: pending, approved, denied, revoked; revoked is for good.
create table organization_tokens (
  org_id text not null,
  token_id text not null,
  status text not null,
  decided_by text,
  created_at bigint not null,
  decided_at bigint,
  primary key (org_id, token_id)
);
create index organization_tokens_token on organization_tokens (token_id);

-- To a user, or to whoever has an e-mail address, in lower case.
create table invitations (
  id text primary key,
  org_id text not null,
  user_id text,
  email text,
  role text not null,
  invited_by text,
  created_at bigint not null
);
create unique index invitations_user on invitations (user_id, org_id);
create unique index invitations_email on invitations (email, org_id);
create index invitations_organization on invitations (org_id, id);

-- About every hour of use.
alter table tokens add column last_used_at bigint;

-- search_key: the member's name and full name in lower case, copied, so that a search reads the index alone.
alter table memberships add column search_key text not null default '';
update memberships set search_key = (
  select substr(a.name_key || ' ' || lower(a.fullname), 1, 300) from accounts a where a.id = memberships.user_id
);
create index memberships_joined on memberships (org_id, created_at, user_id, search_key);
create index accounts_email on accounts (email) where email is not null;
