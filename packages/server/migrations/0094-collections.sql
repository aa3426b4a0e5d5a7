-- Repositories, papers and other collections under a title. title_key is in lower case: a namespace has each title once.
-- trending_score is the logarithm of the upvotes, each halved with every three days, in millionths: it needs no refreshing.
create table collections (
  id text primary key,
  owner_id text not null references accounts (id) on delete cascade,
  title text not null,
  title_key text not null,
  slug text not null,
  description text not null,
  theme text not null,
  private integer not null,
  position integer not null,
  upvotes integer not null default 0,
  trending_score bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index collections_title on collections (owner_id, title_key);
create index collections_slug on collections (owner_id, slug, id);
create index collections_by_updated on collections (private, updated_at, id);
create index collections_by_upvotes on collections (private, upvotes, id);
create index collections_by_trending on collections (private, trending_score, id);

-- One of repo_id, paper_id and nested_id is set.
create table collection_items (
  id text primary key,
  collection_id text not null references collections (id) on delete cascade,
  repo_id text references repositories (id) on delete cascade,
  paper_id text references papers (id) on delete cascade,
  nested_id text references collections (id) on delete cascade,
  position integer not null,
  note text
);
create index collection_items_position on collection_items (collection_id, position);
create unique index collection_items_repo on collection_items (repo_id, collection_id);
create unique index collection_items_paper on collection_items (paper_id, collection_id);
create unique index collection_items_nested on collection_items (nested_id, collection_id);

create table collection_upvotes (
  collection_id text not null references collections (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  created_at bigint not null,
  primary key (collection_id, user_id)
);
create index collection_upvotes_user on collection_upvotes (user_id);
