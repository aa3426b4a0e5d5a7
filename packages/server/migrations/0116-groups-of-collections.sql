-- A collection of an organization is in at most one resource group, as a repository is.
alter table collections add column resource_group_id text references resource_groups (id) on delete set null;
create index collections_group on collections (resource_group_id) where resource_group_id is not null;
