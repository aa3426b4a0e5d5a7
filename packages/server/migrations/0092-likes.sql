-- Who likes which repository. The ids are in the order of time and are the cursors of lists.
create table likes (
  id text primary key,
  repo_id text not null references repositories (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  created_at bigint not null,
  unique (repo_id, user_id)
);
create index likes_of_repo on likes (repo_id, id);
create index likes_of_user on likes (user_id, id);

-- The repositories whose score changes as time passes.
create index repositories_trending on repositories (id) where trending_score > 0;
