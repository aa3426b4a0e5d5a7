-- A link that creates an account, and the mail that carries it, have no user: their user_id is null, and the link has the
-- address in lower case. SQLite changes no column in place, so the tables are built again.
create table one_time_links_of_anybody (
  hash text primary key,
  purpose text not null,
  user_id text references accounts (id) on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  nonce text,
  email text
);
insert into one_time_links_of_anybody (hash, purpose, user_id, created_at, expires_at, used_at, nonce, email)
  select hash, purpose, user_id, created_at, expires_at, used_at, nonce, email from one_time_links;
drop table one_time_links;
alter table one_time_links_of_anybody rename to one_time_links;
create index one_time_links_user on one_time_links (user_id, purpose);
create index one_time_links_expiry on one_time_links (expires_at);
create index one_time_links_email on one_time_links (email, created_at) where user_id is null;

create table mails_to_anybody (
  id text primary key,
  user_id text references accounts (id) on delete cascade,
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
insert into mails_to_anybody (id, user_id, kind, thread_id, first_comment_id, last_comment_id, data, created_at, due_at,
    attempts, state, error)
  select id, user_id, kind, thread_id, first_comment_id, last_comment_id, data, created_at, due_at, attempts, state, error
  from mails;
drop table mails;
alter table mails_to_anybody rename to mails;
create unique index mails_waiting on mails (user_id, thread_id) where state = 'waiting';
create index mails_due on mails (due_at, id) where state = 'waiting';
create index mails_sending on mails (due_at) where state = 'sending';
create index mails_thread on mails (user_id, thread_id, last_comment_id);
