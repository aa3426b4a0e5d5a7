create table papers (
  id text primary key,
  arxiv_id text not null unique,
  title text not null,
  summary text not null,
  created_at bigint not null
);

create table paper_authors (
  id text primary key,
  paper_id text not null references papers (id) on delete cascade,
  position integer not null,
  name text not null,
  user_id text references accounts (id) on delete set null
);
create index paper_authors_paper on paper_authors (paper_id, position);
create index paper_authors_user on paper_authors (user_id);

-- Posts and articles of users; kind is post or article.
create table posts (
  id text primary key,
  kind text not null,
  author_id text not null references accounts (id) on delete cascade,
  slug text not null,
  title text not null,
  canonical integer not null default 0,
  created_at bigint not null,
  unique (author_id, kind, slug)
);
