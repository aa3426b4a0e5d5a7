-- The attempts of webhooks by hour, outcome and time until the response: what lists and charts show of 24 hours. They are counted in
-- memory and added every few seconds. Rows of a deleted webhook go with their hour, so no foreign key deletes them.
create table webhook_tallies (
  -- Empty for all webhooks of the hub.
  webhook_id text not null,
  -- Hours since 1970.
  hour integer not null,
  outcome text not null,
  -- -1 where there was no response.
  latency integer not null,
  count integer not null,
  primary key (webhook_id, hour, outcome, latency)
);
create index webhook_tallies_by_hour on webhook_tallies (hour);

-- JSON: the last attempt, and why the webhook was suspended last. Null for what happened before this migration.
alter table webhooks add column last_attempt text;
alter table webhooks add column suspension text;
