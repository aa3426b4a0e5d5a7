create table watches (
  user_id text not null references accounts (id) on delete cascade,
  target_type text not null,
  target_id text not null,
  created_at bigint not null,
  primary key (user_id, target_id)
);
create index watches_target on watches (target_id, user_id);

create table mutes (
  user_id text not null references accounts (id) on delete cascade,
  target_type text not null,
  target_id text not null,
  created_at bigint not null,
  primary key (user_id, target_id)
);

-- data is JSON, every key as given; the columns are the keys that decide, 1 = on. No row: all on.
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

create table mcp_settings (
  user_id text primary key references accounts (id) on delete cascade,
  built_in_tools text not null,
  space_tools text not null
);
