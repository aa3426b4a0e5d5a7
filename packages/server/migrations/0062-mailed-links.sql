-- Of links that go by mail: nonce is random, and the code is a signature of it under a key that is not in the database, so
-- that the mail can be written later. email is the address that a link confirms.
alter table one_time_links add column nonce text;
alter table one_time_links add column email text;

-- The browsers that users signed in with, as a hash of what they say of themselves and where they are, so that a user is
-- told of a new one.
create table known_browsers (
  user_id text not null references accounts (id) on delete cascade,
  browser text not null,
  seen_at bigint not null,
  primary key (user_id, browser)
);
create index known_browsers_seen on known_browsers (seen_at);
