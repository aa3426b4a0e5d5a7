-- Quotas that a site administrator gave one user. Null: those of the settings; -1: no limit.
alter table accounts add column webhook_quota integer;
alter table accounts add column token_quota integer;
-- Discussions and pull requests in any 24 hours.
alter table accounts add column discussion_quota integer;
