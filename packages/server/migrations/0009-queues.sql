-- Where a reaction that works in pages has come to: JSON, the name of the reaction to its cursor.
alter table events add column progress text;
-- An event is held by the transaction that reacts to it.
alter table events drop column lease;

-- The same tables with fewer trees to keep. trigger_key begins with the event's id, and is that for triggered
-- deliveries, so that each pair of event and webhook exists once; replays add what makes them different. An attempt is
-- numbered within its delivery.
create table new_deliveries (
  id text primary key,
  webhook_id text not null references webhooks (id) on delete cascade,
  event_id text not null,
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
  unique (trigger_key, webhook_id)
) without rowid;
insert into new_deliveries (
  id, webhook_id, event_id, trigger_key, created_at, status, lane, due_at, lease, attempts, kind, replay_of, scope,
  action, repo_id, repo_type, repo_name, repo_key, repo_owner_id, repo_private, response_status, error, duration_ms,
  job_id
) select
  id, webhook_id, event_id, case when kind = 'trigger' then event_id else event_id || '/' || trigger_key end,
  created_at, status, lane, due_at, lease, attempts, kind, replay_of, scope, action, repo_id, repo_type, repo_name,
  repo_key, repo_owner_id, repo_private, response_status, error, duration_ms, job_id
from deliveries;

create table new_attempts (
  delivery_id text not null references new_deliveries (id) on delete cascade,
  number integer not null,
  created_at bigint not null,
  url text not null,
  response_status integer,
  response_headers text,
  response_body text,
  error text,
  note text,
  duration_ms integer not null,
  primary key (delivery_id, number)
) without rowid;
insert into new_attempts (
  delivery_id, number, created_at, url, response_status, response_headers, response_body, error, note, duration_ms
) select
  delivery_id, row_number() over (partition by delivery_id order by id), created_at, url, response_status,
  response_headers, response_body, error, note, duration_ms
from delivery_attempts;

drop table delivery_attempts;
drop table deliveries;
alter table new_deliveries rename to deliveries;
alter table new_attempts rename to delivery_attempts;

create index deliveries_due on deliveries (lane, due_at, id, webhook_id) where status = 'pending';
create index deliveries_log on deliveries (webhook_id, id);
create index deliveries_log_failed on deliveries (webhook_id, id) where status = 'failed';
create index deliveries_log_throttled on deliveries (webhook_id, id) where status = 'throttled';
create index deliveries_recovering on deliveries (webhook_id) where kind = 'recovery' and status = 'pending';
