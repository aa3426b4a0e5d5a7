-- A disabled account is nobody to the hub: `disabled_by` is the site administrator or the organization that did it.
alter table accounts add column disabled_at bigint;
alter table accounts add column disabled_by text;
create index accounts_disabled on accounts (id) where disabled_at is not null;

-- What ends with its creator.
create index jobs_unfinished_of_creator on jobs (created_by) where finished_at is null;

create index accounts_site_admins on accounts (id) where site_admin = 1;

-- Whom an identity provider has put out before accounts could be disabled.
update accounts set
  disabled_at = (select s.updated_at from scim_users s where s.user_id = accounts.id and s.owned = 1 order by s.org_id limit 1),
  disabled_by = (select s.org_id from scim_users s where s.user_id = accounts.id and s.owned = 1 order by s.org_id limit 1)
where site_admin = 0 and id in (
  select s.user_id from scim_users s where s.owned = 1 and s.taken is not null
  and not exists (select 1 from memberships m where m.org_id = s.org_id and m.user_id = s.user_id)
  and not exists (select 1 from invitations i where i.org_id = s.org_id and i.user_id = s.user_id)
);
