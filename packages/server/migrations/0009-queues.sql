-- Where a reaction that works in pages has come to: JSON, the name of the reaction to its cursor.
alter table events add column progress text;

-- One look-up index for the queue; webhook_id stands in it so that a claim can share a lane among webhooks.
drop index deliveries_due;
drop index deliveries_next;
drop index deliveries_leased;
create index deliveries_due on deliveries (lane, due_at, id, webhook_id) where status = 'pending';
