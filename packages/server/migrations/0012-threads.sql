-- Comments on papers, posts and articles; those of discussions are events of the discussion. thread_id is the id of
-- what is commented on, reply_to the comment that is answered. data is JSON.
create table comments (
  id text primary key,
  thread_type text not null,
  thread_id text not null,
  reply_to text,
  author_id text references accounts (id) on delete set null,
  created_at bigint not null,
  data text not null
);
create index comments_thread on comments (thread_id, id);
create index comments_author on comments (author_id);

-- Who an author entry belongs to is known from the hub's document (admin_assigned) or a claim (claim_verified).
alter table paper_authors add column status text;
alter table paper_authors add column status_changed_at bigint;
update paper_authors set
  status = 'admin_assigned',
  status_changed_at = (select created_at from papers p where p.id = paper_authors.paper_id)
where user_id is not null;

-- status: claim_requested, claim_verified, claim_rejected. Somebody claims an entry once.
create table paper_claims (
  id text primary key,
  paper_id text not null references papers (id) on delete cascade,
  author_id text not null references paper_authors (id) on delete cascade,
  user_id text not null references accounts (id) on delete cascade,
  requested_by text,
  status text not null,
  created_at bigint not null,
  decided_at bigint,
  unique (author_id, user_id)
);
create index paper_claims_paper on paper_claims (paper_id);
create index paper_claims_user on paper_claims (user_id, id);
create index paper_claims_status on paper_claims (status, id);

create index posts_canonical on posts (slug, id) where kind = 'article' and canonical = 1;
