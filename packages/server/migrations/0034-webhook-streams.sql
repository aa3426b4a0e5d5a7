-- A webhook whose target is a connection, `stream:` and its id as url: null for all others. It is gone when nobody was
-- connected until then. connection names the one that counts: the newest.
alter table webhooks add column stream_until bigint;
alter table webhooks add column connection text;
create index webhooks_streams on webhooks (owner_id, id) where stream_until is not null;
