-- The token that made a token, or the nearest before it that is still there; null where none did.
alter table tokens add column made_by text;
create index tokens_made_by on tokens (made_by) where made_by is not null;
