-- What was done to an organization and in it, one chain each: seq counts from 1 without a gap, hash is over the hash
-- before and body. body is the canonical JSON text of what never changes, as it was written; context what else was
-- known then. author_key is the author's name in lower case. Nothing refers to organizations: their logs outlive them.
create table audit_events (
  org_id text not null,
  seq bigint not null,
  id text not null unique,
  created_at bigint not null,
  type text not null,
  author_id text,
  author_key text,
  ip text,
  token_id text,
  body text not null,
  context text not null,
  prev_hash text not null,
  hash text not null,
  primary key (org_id, seq)
);
create index audit_events_author on audit_events (org_id, author_key, seq);
create index audit_events_ip on audit_events (org_id, ip, seq);
create index audit_events_type on audit_events (org_id, type, seq);

-- The last event of each chain.
create table audit_chains (
  org_id text primary key,
  seq bigint not null,
  hash text not null
);

-- Up to which event each chain was copied to MOONBASE_AUDIT_SINK.
create table audit_copies (
  org_id text primary key,
  seq bigint not null
);
