create table custom_roles (
  org_id text not null references accounts (id) on delete cascade,
  name text not null,
  base text not null,
  description text,
  created_at bigint not null,
  primary key (org_id, name)
);

-- role is the name of a role, base_role the built-in one it stands on.
alter table memberships add column base_role text not null default 'read';
update memberships set base_role = role;

create table resource_groups (
  id text primary key,
  org_id text not null references accounts (id) on delete cascade,
  name text not null,
  description text,
  auto_join_role text,
  managed_by text,
  created_at bigint not null
);
create table resource_group_users (
  group_id text not null references resource_groups (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  role text not null,
  base_role text not null,
  added_by text,
  created_at bigint not null,
  primary key (group_id, user_id)
);
alter table repositories add column resource_group_id text;
alter table repositories add column resource_group_added_by text;
