-- What is taken out of inboxes while the organization that owns the repository is deleted, and put back when it is
-- restored. As in notifications; nothing of it is counted or listed.
create table hidden_notifications (
  thread_id text not null,
  user_id text not null references accounts (id) on delete cascade,
  subject text not null,
  source_id text not null references repositories (id) on delete cascade,
  involvement integer not null,
  updated_at bigint not null,
  read integer not null,
  activity_id text not null,
  event_id text,
  primary key (user_id, thread_id)
);
create index hidden_notifications_source on hidden_notifications (source_id);

-- Organizations that were deleted before there was such a table.
insert into hidden_notifications
  (thread_id, user_id, subject, source_id, involvement, updated_at, read, activity_id, event_id)
select n.thread_id, n.user_id, n.subject, n.source_id, n.involvement, n.updated_at, n.read, n.activity_id, n.event_id
from notifications n join repositories r on r.id = n.source_id
join organization_settings s on s.org_id = r.owner_id where s.deleted_at is not null;
delete from notifications where exists (
  select 1 from hidden_notifications h
  where h.user_id = notifications.user_id and h.thread_id = notifications.thread_id
);
update inboxes set
  all_count = (select count(*) from notifications n where n.user_id = inboxes.user_id),
  unread_count = (select count(*) from notifications n where n.user_id = inboxes.user_id and n.read = 0)
where user_id in (select user_id from hidden_notifications);
