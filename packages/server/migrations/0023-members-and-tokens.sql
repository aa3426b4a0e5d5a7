-- What 0017 says with few words. organization_settings: no row means the defaults; group_creators is the least role that
-- may create resource groups; join_domains is JSON: the e-mail domains whose users may join by themselves; token_policy:
-- any, fine-grained, approval; deleted_at: when it was deleted; until it is purged its account has a name_key that no
-- name has. organization_tokens: what was decided about a member's access token; status: pending, approved, denied,
-- revoked; revoked is for good. invitations: to a user, or to whoever has an e-mail address, in lower case.
create index organization_settings_deleted on organization_settings (org_id) where deleted_at is not null;
create index organization_settings_policy on organization_settings (org_id) where token_policy <> 'any';
create index organization_tokens_token on organization_tokens (token_id);
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
