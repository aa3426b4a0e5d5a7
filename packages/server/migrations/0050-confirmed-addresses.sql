-- accounts.email is the account's own, confirmed address. verified_domains is JSON: the domains whose addresses, as the
-- organization's SCIM gives them, count within the organization; site administrators set it.
alter table organization_settings add column verified_domains text not null default '[]';

-- Of invitations by mail: nonce is random, the secret is a signature of it under a key that is not in the database, and
-- expires_at is when nobody can accept it any more. Both are null in invitations of users, and in older ones.
alter table invitations add column nonce text;
alter table invitations add column expires_at bigint;

-- An address that SCIM gave to an account stays what its organization says, in scim_users, and nothing more.
update accounts set email = null where email is not null and exists (
  select 1 from scim_users s where s.user_id = accounts.id and s.owned = 1 and s.email_key = lower(accounts.email)
);
