-- Notifications that their users are done with, as in notifications. No inbox counts or lists them; their users may move them
-- back. A thread with new activity has a row in both tables, and the one in notifications counts.
create table done_notifications (
  thread_id text not null,
  user_id text not null references accounts (id) on delete cascade,
  subject text not null,
  source_id text not null,
  involvement integer not null,
  updated_at bigint not null,
  read integer not null,
  activity_id text not null,
  event_id text,
  primary key (user_id, thread_id)
);
create index done_notifications_newest on done_notifications (user_id, updated_at desc, thread_id);
create index done_notifications_thread on done_notifications (thread_id);
create index done_notifications_source on done_notifications (source_id);
