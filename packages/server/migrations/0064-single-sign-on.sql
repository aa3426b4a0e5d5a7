-- Whom an OpenID provider means: a person is known by issuer and subject, and by nothing else. provider is `hub`, or the
-- id of the organization that has the provider. owned: 1 where the provider decides alone who signs in to the account:
-- it made the account, or that organization's SCIM did.
create table identities (
  id text primary key,
  provider text not null,
  org_id text references accounts (id) on delete cascade,
  issuer text not null,
  subject text not null,
  user_id text not null references accounts (id) on delete cascade,
  owned integer not null,
  -- What the provider says that the address is, confirmed or not.
  email text,
  created_at bigint not null,
  used_at bigint not null
);
create unique index identities_subject on identities (provider, issuer, subject);
create index identities_user on identities (user_id, id);
create index identities_org on identities (org_id) where org_id is not null;

-- Of a session that a provider began: whose it is there (`sub`), and the session there (`sid`).
alter table sessions add column provider text;
alter table sessions add column provider_subject text;
alter table sessions add column provider_session text;
create index sessions_provider on sessions (provider, provider_subject) where provider is not null;

-- Logout tokens that were used: each works once. A token is kept as the SHA-256 of its issuer and id.
create table logout_tokens (
  hash text primary key,
  expires_at bigint not null
);
create index logout_tokens_expiry on logout_tokens (expires_at);

-- The OpenID providers of organizations, by the id of the organization. client_secret is sealed; settings is JSON.
create table organization_providers (
  id text primary key references accounts (id) on delete cascade,
  issuer text not null,
  client_id text not null,
  client_secret text,
  settings text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index organization_providers_issuer on organization_providers (issuer, client_id);
