-- Who asked for the files of a gated repository, or was granted them. The ids are in the order of time. `granted` is 1 where
-- nobody had asked; `reviewed_at` is null until somebody who may write to the repository has decided.
create table access_requests (
  id text primary key,
  repo_id text not null references repositories (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  status text not null,
  granted integer not null,
  fields text,
  requested_at bigint not null,
  reviewed_at bigint,
  reviewed_by text references accounts (id) on delete set null,
  rejection_reason text,
  unique (repo_id, user_id)
);
create index access_requests_by_status on access_requests (repo_id, status, id);
create index access_requests_of_user on access_requests (user_id);
create index access_requests_by_reviewer on access_requests (reviewed_by) where reviewed_by is not null;

-- Whether members of the owner who may only read must ask as well; where mails about requests go, and how often.
alter table repositories add column gate_for_members integer not null default 0;
alter table repositories add column gate_email text;
alter table repositories add column gate_mails text not null default 'real-time';

-- The setting takes effect from now on; it may have been turned off before.
alter table notification_settings add column gated_user_access_request integer not null default 1;
update notification_settings set gated_user_access_request = 0 where data like '%"gated_user_access_request":false%';
