-- Roles that an organization names itself; each stands on a built-in one. name_key is the name in lower case.
create table custom_roles (
  org_id text not null references accounts (id) on delete cascade,
  name text not null,
  base text not null,
  description text,
  created_at bigint not null,
  name_key text not null,
  primary key (org_id, name)
);
create unique index custom_roles_key on custom_roles (org_id, name_key);

-- role is the name of a role, built-in or custom; base_role the built-in one that it stands on.
alter table memberships add column base_role text not null default 'no_access';
update memberships set base_role = role;
create index memberships_admins on memberships (org_id) where base_role = 'admin';
create index memberships_custom on memberships (org_id, role) where role <> base_role;

-- managed_by: null, or scim. auto_join_role: null, or the role that members get by joining the organization;
-- auto_join_scope: all, or read_plus for all but those without access.
create table resource_groups (
  id text primary key,
  org_id text not null references accounts (id) on delete cascade,
  name text not null,
  description text,
  auto_join_role text,
  managed_by text,
  created_at bigint not null,
  auto_join_scope text not null default 'all'
);
create index resource_groups_org on resource_groups (org_id, id);

create table resource_group_users (
  group_id text not null references resource_groups (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  role text not null,
  base_role text not null,
  added_by text,
  created_at bigint not null,
  primary key (group_id, user_id)
);
create index resource_group_users_user on resource_group_users (user_id, group_id);

alter table repositories add column resource_group_id text references resource_groups (id) on delete set null;
alter table repositories add column resource_group_added_by text;
create index repositories_group on repositories (resource_group_id) where resource_group_id is not null;

-- The group of a repository that is gone still decides who may read what is logged of it.
alter table deliveries add column repo_group_id text;
