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
);
create index shown_threads_source on shown_threads (source_id);
create index shown_threads_discussion on shown_threads (discussion_id) where discussion_id is not null;
create index shown_threads_paper on shown_threads (paper_id) where paper_id is not null;
create index shown_threads_post on shown_threads (post_id) where post_id is not null;

-- The rows of a deleted account go after it, not with it.
alter table thread_participants drop constraint thread_participants_user_id_fkey;
drop index thread_participants_user;
create index thread_participants_user on thread_participants (user_id, thread_id);
