-- Many log entries of a webhook sent again. filter is JSON; bound is the newest entry when the replay was asked for,
-- cursor the last one that was looked at. state: running, done, canceled; one of a webhook runs at a time.
create table webhook_replays (
  id text primary key,
  webhook_id text not null references webhooks (id) on delete cascade,
  created_at bigint not null,
  filter text not null,
  bound text not null,
  cursor text not null,
  matched integer not null,
  replayed integer not null default 0,
  state text not null
);
create index webhook_replays_of on webhook_replays (webhook_id, id);
create unique index webhook_replays_running on webhook_replays (webhook_id) where state = 'running';

-- What replays have in the queue. Their deliveries have the kind recovery, and as trigger_key the ids of replay and
-- entry: no replay sends an entry twice.
create index deliveries_recovering on deliveries (webhook_id) where kind = 'recovery' and status = 'pending';
