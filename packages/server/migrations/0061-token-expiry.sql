-- When an access token is no longer known; null: it does not expire.
alter table tokens add column expires_at bigint;

-- Tokens of members that live longer than so many days do not reach the organization; null: all do.
alter table organization_settings add column token_max_days bigint;
