-- The bytes of the events of a discussion, and 500 for each event: a thread has a maximum, so that one response can carry it.
alter table discussions add column event_bytes bigint not null default 0;
update discussions set event_bytes = coalesce(
  (select sum(octet_length(e.data) + 500) from discussion_events e where e.discussion_id = discussions.id),
  0
);

-- The same of the comments on a paper, a post or an article, whose id is thread_id.
create table comment_threads (
  thread_id text primary key,
  bytes bigint not null
);
insert into comment_threads (thread_id, bytes)
select thread_id, sum(octet_length(data) + 500) from comments group by thread_id;
