-- The access token with which a job was launched, a scheduled job was set up, and a webhook got its job; null for a browser session, and
-- for what is older than this migration. The token may have been deleted since, so no foreign key.
alter table jobs add column token_id text;
alter table scheduled_jobs add column token_id text;
alter table webhooks add column job_token_id text;
