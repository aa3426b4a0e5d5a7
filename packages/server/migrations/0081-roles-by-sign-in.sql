-- Whether the mapping of an OpenID provider gave a role in a resource group, at a sign-in: such roles go with the mapping.
-- The source of older rows is not known, so they count as given by hand.
alter table resource_group_users add column by_sign_in integer not null default 0;
