-- secret, old_secret and job_secrets are encrypted; job and domains are JSON. state: enabled, disabled, suspended.
create table webhooks (
  id text primary key,
  owner_id text not null references accounts (id) on delete cascade,
  url text,
  job text,
  job_source_id text,
  job_secrets text,
  secret text,
  old_secret text,
  old_secret_until bigint,
  domains text not null,
  state text not null,
  created_at bigint not null,
  last_trigger_at bigint,
  failures integer not null default 0,
  failing_since bigint
);
create index webhooks_owner on webhooks (owner_id, id);

-- target_id is the account or repository the name stood for when it was last looked up; null while there is none.
create table webhook_watched (
  webhook_id text not null references webhooks (id) on delete cascade,
  position integer not null,
  type text not null,
  name text not null,
  name_key text not null,
  target_id text,
  primary key (webhook_id, position)
);
create index webhook_watched_target on webhook_watched (target_id, webhook_id);
create index webhook_watched_name on webhook_watched (type, name_key, webhook_id);

-- One event for one webhook, over all its attempts. lane is the hash of the target's origin: deliveries are claimed
-- lane by lane. trigger_key is the event's id for triggered deliveries, so that each pair exists once, and the
-- delivery's own id for replays and tests.
create table deliveries (
  id text primary key,
  webhook_id text not null references webhooks (id) on delete cascade,
  event_id text not null references events (id),
  trigger_key text not null,
  created_at bigint not null,
  status text not null,
  lane text not null,
  due_at bigint not null,
  lease text,
  attempts integer not null default 0,
  kind text not null,
  replay_of text,
  scope text not null,
  action text not null,
  repo_id text not null,
  repo_type text not null,
  repo_name text not null,
  repo_key text not null,
  repo_owner_id text not null,
  repo_private integer not null,
  response_status integer,
  error text,
  duration_ms integer,
  job_id text,
  unique (webhook_id, trigger_key)
);
create index deliveries_due on deliveries (lane, due_at, id) where status = 'pending';
create index deliveries_next on deliveries (due_at) where status = 'pending';
create index deliveries_leased on deliveries (lease) where lease is not null;
create index deliveries_log on deliveries (webhook_id, id);
create index deliveries_log_status on deliveries (webhook_id, status, id);
create index deliveries_event on deliveries (event_id);

create table delivery_attempts (
  id text primary key,
  delivery_id text not null references deliveries (id) on delete cascade,
  created_at bigint not null,
  url text not null,
  response_status integer,
  response_headers text,
  response_body text,
  error text,
  note text,
  duration_ms integer not null
);
create index delivery_attempts_of on delivery_attempts (delivery_id, id);
