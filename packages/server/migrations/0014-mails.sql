-- Mails on their way out. kind is the key of the notification settings that turns it off, or security. state: waiting
-- (due_at: when it goes), sending (due_at: when nobody can be sending it any more), sent, failed. What a mail about a
-- thread says is read when it is sent: the comments from first_comment_id on. data is JSON: of such a mail the comments
-- that it tells, up to last_comment_id; of another what it is about.
create table mails (
  id text primary key,
  user_id text not null references accounts (id) on delete cascade,
  kind text not null,
  thread_id text,
  first_comment_id text,
  last_comment_id text,
  data text,
  created_at bigint not null,
  due_at bigint not null,
  attempts integer not null default 0,
  state text not null,
  error text
);
create unique index mails_waiting on mails (user_id, thread_id) where state = 'waiting';
create index mails_due on mails (due_at, id) where state = 'waiting';
create index mails_sending on mails (due_at) where state = 'sending';
create index mails_thread on mails (user_id, thread_id, last_comment_id);
