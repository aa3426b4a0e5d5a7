-- What lists show of a thread as it is, ready to be sent: a JSON object without its last brace; pictures on this hub begin
-- with a slash. A thread without a row is made ready when it is read. source_id is as in notifications; one of the last
-- three is the thread, with which the row goes.
create table shown_threads (
  thread_id text primary key,
  source_id text not null,
  body text not null,
  discussion_id text references discussions (id) on delete cascade,
  paper_id text references papers (id) on delete cascade,
  post_id text references posts (id) on delete cascade
) without rowid;
create index shown_threads_source on shown_threads (source_id);
create index shown_threads_discussion on shown_threads (discussion_id) where discussion_id is not null;
create index shown_threads_paper on shown_threads (paper_id) where paper_id is not null;
create index shown_threads_post on shown_threads (post_id) where post_id is not null;

-- The same as before, but that the rows of a deleted account go after it, not with it.
create table thread_participants_kept (
  thread_id text not null,
  user_id text not null,
  source_id text not null,
  wrote integer not null,
  mentioned integer not null,
  last_at bigint not null,
  primary key (thread_id, user_id)
) without rowid;
insert into thread_participants_kept select thread_id, user_id, source_id, wrote, mentioned, last_at from thread_participants;
drop table thread_participants;
alter table thread_participants_kept rename to thread_participants;
create index thread_participants_latest on thread_participants (thread_id, last_at desc, user_id) where wrote = 1;
create index thread_participants_source on thread_participants (source_id, thread_id);
create index thread_participants_user on thread_participants (user_id, thread_id);
