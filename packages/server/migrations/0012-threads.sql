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

create table paper_claims (
  id text primary key,
  paper_id text not null references papers (id) on delete cascade,
  author_id text not null,
  user_id text not null references accounts (id) on delete cascade,
  requested_by text,
  status text not null,
  created_at bigint not null,
  decided_at bigint
);
