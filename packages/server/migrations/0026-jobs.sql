-- A job over all its attempts. secrets is encrypted; specification and trigger_environment are JSON; labels is
-- ';name=value;…;'. active: what the runner has of it, null for nothing: starting, running. stage ends before active does
-- where a job is canceled or takes too long. trigger_key: so that one delivery makes one job. log_position: how far the
-- output of the attempt is read, in the words of the runner.
create table jobs (
  id text primary key,
  owner_id text not null references accounts (id) on delete cascade,
  created_by text not null,
  created_by_name text not null,
  initiator_type text not null,
  initiator_id text not null,
  trigger_key text unique,
  created_at bigint not null,
  started_at bigint,
  finished_at bigint,
  specification text not null,
  secrets text,
  trigger_environment text,
  labels text not null,
  stage text not null,
  message text,
  failures integer not null default 0,
  attempt integer not null default 0,
  active text,
  deadline_at bigint,
  log_position text not null,
  log_lines bigint not null default 0,
  log_bytes bigint not null default 0
);
create index jobs_of_owner on jobs (owner_id, id);
create index jobs_waiting on jobs (owner_id, id) where stage = 'SCHEDULING' and active is null;
create index jobs_active on jobs (owner_id, id) where active is not null;
create index jobs_unfinished on jobs (initiator_id) where finished_at is null;
create index jobs_finished on jobs (finished_at, id) where finished_at is not null;

-- A piece of a log: whole lines, the number of the first one, and when they were read.
create table job_logs (
  job_id text not null references jobs (id) on delete cascade,
  line bigint not null,
  at bigint not null,
  count integer not null,
  text text not null,
  primary key (job_id, line)
);

create table job_events (
  job_id text not null references jobs (id) on delete cascade,
  number integer not null,
  at bigint not null,
  reason text not null,
  message text not null,
  primary key (job_id, number)
);

-- next_run_at is null while suspended.
create table scheduled_jobs (
  id text primary key,
  owner_id text not null references accounts (id) on delete cascade,
  created_by text not null,
  created_by_name text not null,
  created_at bigint not null,
  schedule text not null,
  suspended integer not null,
  concurrency integer not null,
  specification text not null,
  secrets text,
  labels text not null,
  next_run_at bigint,
  last_job_id text,
  last_job_at bigint
);
create index scheduled_jobs_of_owner on scheduled_jobs (owner_id, id);
create index scheduled_jobs_due on scheduled_jobs (next_run_at) where next_run_at is not null;
