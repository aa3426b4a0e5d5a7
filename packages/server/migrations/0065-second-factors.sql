-- Second factors of users. A secret is sealed; last_step is the newest time step whose code was taken, so that each code
-- counts once. A row that is not confirmed yet is one that its user is about to set up.
create table second_factors (
  id text primary key,
  user_id text not null references accounts (id) on delete cascade,
  kind text not null,
  sealed text not null,
  last_step bigint not null,
  created_at bigint not null,
  confirmed_at bigint
);
create unique index second_factors_confirmed on second_factors (user_id) where confirmed_at is not null;
create unique index second_factors_pending on second_factors (user_id) where confirmed_at is null;

-- The SHA-256 of codes that stand in for a second factor, once each.
create table recovery_codes (
  hash text primary key,
  user_id text not null references accounts (id) on delete cascade,
  used_at bigint
);
create index recovery_codes_user on recovery_codes (user_id);
