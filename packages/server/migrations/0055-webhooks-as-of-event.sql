-- Events are matched with webhooks as these were when the event happened. epoch: the reading of a counter that a change
-- of a webhook advances when events from before it still wait. The counter is the setting events.epoch.
alter table events add column epoch bigint not null default 0;
create index events_waiting on events (epoch) where done_at is null;

-- since: the epoch from which state and domains hold; enabled_since: the one from which it has been enabled throughout.
alter table webhooks add column since bigint not null default 0;
alter table webhooks add column enabled_since bigint not null default 0;

-- What an enabled webhook was before, for events with an epoch from since until before until. closed_at is a time.
create table webhook_versions (
  webhook_id text not null references webhooks (id) on delete cascade,
  since bigint not null,
  until bigint not null,
  domains text not null,
  closed_at bigint not null,
  primary key (webhook_id, since)
);
create index webhook_versions_until on webhook_versions (until);

-- The same for what is watched: until is null for what is watched now.
create table new_webhook_watched (
  webhook_id text not null references webhooks (id) on delete cascade,
  position integer not null,
  type text not null,
  name text not null,
  name_key text not null,
  target_id text,
  since bigint not null default 0,
  until bigint,
  closed_at bigint,
  primary key (webhook_id, position, since)
);
insert into new_webhook_watched (webhook_id, position, type, name, name_key, target_id)
  select webhook_id, position, type, name, name_key, target_id from webhook_watched;
drop table webhook_watched;
alter table new_webhook_watched rename to webhook_watched;
create index webhook_watched_target on webhook_watched (target_id, webhook_id, since, until);
create index webhook_watched_name on webhook_watched (type, name_key, webhook_id);
create index webhook_watched_until on webhook_watched (until) where until is not null;
