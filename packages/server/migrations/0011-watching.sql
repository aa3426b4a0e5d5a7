-- What a user hears about: users, organizations and repositories. target_type is user, org or repo.
create table watches (
  user_id text not null references accounts (id) on delete cascade,
  target_type text not null,
  target_id text not null,
  created_at bigint not null,
  primary key (user_id, target_id)
);
create index watches_target on watches (target_id, user_id);
create index watches_newest on watches (user_id, created_at, target_id);

-- Whoever belongs to an organization watches it.
insert into watches (user_id, target_type, target_id, created_at)
select user_id, 'org', org_id, created_at from memberships where role <> 'no_access';

-- What a user does not hear about. target_type is repo, or discussion with the id of any kind of thread.
create table mutes (
  user_id text not null references accounts (id) on delete cascade,
  target_type text not null,
  target_id text not null,
  created_at bigint not null,
  primary key (user_id, target_id)
);
create index mutes_newest on mutes (user_id, created_at, target_id);

-- data is JSON: every key as it was given. The flags are of the keys that decide, 1 is on; no row is all on.
create table notification_settings (
  user_id text primary key references accounts (id) on delete cascade,
  data text not null,
  web_discussions_participating integer not null default 1,
  web_discussions_watched integer not null default 1,
  web_posts_participating integer not null default 1,
  discussions_participating integer not null default 1,
  discussions_watched integer not null default 1,
  posts_participating integer not null default 1,
  arxiv_paper_activity integer not null default 1
);

-- Both are JSON: the ids of tools, and of each Space its id and emoji.
create table mcp_settings (
  user_id text primary key references accounts (id) on delete cascade,
  built_in_tools text not null,
  space_tools text not null
);
