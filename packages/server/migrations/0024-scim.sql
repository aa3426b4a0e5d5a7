-- What an identity provider says of a user in an organization; id and account are one. owned: 1 where this organization's
-- SCIM made the account. user_name, email and the rest are kept as they were sent, null where they were not;
-- user_name_key and email_key are them in lower case. Whether the user is active is not here: whoever is a member or
-- invited is. taken is JSON, what the user was when SCIM ended the membership: {role, groups: [{id, role}]}.
create table scim_users (
  org_id text not null references accounts (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  owned integer not null,
  user_name text not null,
  user_name_key text not null,
  external_id text,
  given_name text,
  family_name text,
  formatted text,
  display_name text,
  email text,
  email_key text,
  email_type text,
  email_primary integer,
  taken text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, user_id)
);
create unique index scim_users_name on scim_users (org_id, user_name_key);
create unique index scim_users_external on scim_users (org_id, external_id) where external_id is not null;
create index scim_users_email on scim_users (org_id, email_key);
create index scim_users_order on scim_users (org_id, created_at, user_id);
create index scim_users_account on scim_users (user_id);

-- in_scim: 1 where the member has a row in scim_users. Those who have none are listed by an index of their own.
alter table memberships add column in_scim integer not null default 0;
create index memberships_outside_scim on memberships (org_id, created_at, user_id) where in_scim = 0;
create index accounts_email_key on accounts (lower(email));

-- version counts the changes.
create table scim_groups (
  id text primary key,
  org_id text not null references accounts (id) on delete cascade,
  display_name text not null,
  display_key text not null,
  external_id text,
  version bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index scim_groups_name on scim_groups (org_id, display_key);
create index scim_groups_external on scim_groups (org_id, external_id);
create index scim_groups_order on scim_groups (org_id, created_at, id);

create table scim_group_members (
  group_id text not null references scim_groups (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  primary key (group_id, user_id)
);
create index scim_group_members_user on scim_group_members (user_id);

-- What the members of a group get: a role in a resource group, or in the organization where that is null.
create table scim_links (
  id text primary key,
  org_id text not null references accounts (id) on delete cascade,
  group_id text not null references scim_groups (id) on delete cascade,
  resource_group_id text references resource_groups (id) on delete cascade,
  role text not null,
  created_at bigint not null
);
create unique index scim_links_resource_group on scim_links (resource_group_id, group_id);
create unique index scim_links_organization on scim_links (group_id) where resource_group_id is null;
create index scim_links_group on scim_links (group_id);
create index scim_links_org on scim_links (org_id, id);

-- Members whose role in the organization comes from a group: what it was before, and what was given.
create table scim_roles (
  org_id text not null references accounts (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  own_role text not null,
  given_role text not null,
  primary key (org_id, user_id)
);
create index scim_roles_account on scim_roles (user_id);
