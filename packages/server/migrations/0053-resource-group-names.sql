-- No two resource groups of an organization have the same name, regardless of case. name_key is the name that is
-- compared. Groups that share a name already keep it: all but the oldest have a key of their own until they are renamed.
alter table resource_groups add column name_key text not null default '';
update resource_groups set name_key = lower(trim(name));
update resource_groups set name_key = name_key || ' ' || id where exists (
  select 1 from resource_groups as older
  where older.org_id = resource_groups.org_id and older.name_key = resource_groups.name_key
    and older.id < resource_groups.id
);
create unique index resource_groups_name on resource_groups (org_id, name_key);
