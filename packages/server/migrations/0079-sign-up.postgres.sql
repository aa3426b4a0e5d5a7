-- A link that creates an account, and the mail that carries it, have no user: their user_id is null, and the link has the
-- address in lower case.
alter table one_time_links alter column user_id drop not null;
create index one_time_links_email on one_time_links (email, created_at) where user_id is null;
alter table mails alter column user_id drop not null;
