-- What a user is told: one row for each user and thread. subject is what the thread is about: a repo type, paper, post
-- or community_blog (an article). source_id is where it is: the repository, the paper, or the author of a post or
-- article. involvement: 0 watches, 1 takes part, 2 was mentioned. activity_id is the event of the newest activity, by
-- which it is told what is newer; event_id is what is shown of it: a comment, or a change of status.
create table notifications (
  thread_id text not null,
  user_id text not null references accounts (id) on delete cascade,
  subject text not null,
  source_id text not null,
  involvement integer not null,
  updated_at bigint not null,
  read integer not null,
  activity_id text not null,
  event_id text,
  primary key (thread_id, user_id)
);
-- A list is answered from an index alone where its pages are known to be visible: they are to be looked at often.
alter table notifications set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table notifications set (autovacuum_vacuum_insert_scale_factor = 0.02);
-- They hold all that most filters look at; marking as read touches the second one only.
create index notifications_newest on notifications (user_id, updated_at desc, thread_id, subject, involvement);
create index notifications_unread on notifications (user_id, updated_at desc, thread_id, subject, involvement)
where read = 0;
create index notifications_source on notifications (source_id, user_id, updated_at desc, thread_id, subject);

-- Counters, kept in the transaction of each change. version changes with every change of the rows that it counts.
create table inboxes (
  user_id text primary key references accounts (id) on delete cascade,
  all_count integer not null,
  unread_count integer not null,
  version integer not null
);

-- Who wrote in a thread or was mentioned there, and when last.
create table thread_participants (
  thread_id text not null,
  user_id text not null references accounts (id) on delete cascade,
  source_id text not null,
  wrote integer not null,
  mentioned integer not null,
  last_at bigint not null,
  primary key (thread_id, user_id)
);
create index thread_participants_latest on thread_participants (thread_id, last_at desc, user_id) where wrote = 1;
create index thread_participants_source on thread_participants (source_id, thread_id);
create index thread_participants_user on thread_participants (user_id);

insert into thread_participants (thread_id, user_id, source_id, wrote, mentioned, last_at)
select e.discussion_id, e.author_id, d.repo_id, 1, 0, max(e.created_at)
from discussion_events e join discussions d on d.id = e.discussion_id
where e.author_id is not null and e.type in ('comment', 'status-change')
group by e.discussion_id, e.author_id, d.repo_id;
