-- Who signed in, and who was refused. A user is there where the attempt named one; what somebody typed is not kept.
create table sign_in_events (
  id text primary key,
  at bigint not null,
  user_id text references accounts (id) on delete cascade,
  outcome text not null,
  method text not null,
  -- The OpenID provider: `hub`, or the id of an organization.
  provider text,
  reason text,
  address text not null,
  user_agent text
);
create index sign_in_events_at on sign_in_events (at);
create index sign_in_events_user on sign_in_events (user_id, id) where user_id is not null;
