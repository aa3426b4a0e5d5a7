-- A group with many members is deleted in steps: it is out of sight from the first one on.
alter table scim_groups add column deleted_at bigint;
