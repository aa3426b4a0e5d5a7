alter table events add column progress text;
alter table events drop column lease;

alter table deliveries drop constraint deliveries_event_id_fkey;
alter table deliveries drop constraint deliveries_webhook_id_trigger_key_key;
update deliveries set trigger_key = event_id || '/' || trigger_key where kind <> 'trigger';
alter table deliveries add unique (trigger_key, webhook_id);

alter table delivery_attempts add column number integer;
update delivery_attempts set number = numbered.number from (
  select id, row_number() over (partition by delivery_id order by id) as number from delivery_attempts
) as numbered where numbered.id = delivery_attempts.id;
alter table delivery_attempts drop constraint delivery_attempts_pkey;
drop index delivery_attempts_of;
alter table delivery_attempts drop column id;
alter table delivery_attempts add primary key (delivery_id, number);

drop index deliveries_due;
drop index deliveries_next;
drop index deliveries_leased;
drop index deliveries_event;
drop index deliveries_log_status;
create index deliveries_due on deliveries (lane, due_at, id, webhook_id) where status = 'pending';
create index deliveries_log_failed on deliveries (webhook_id, id) where status = 'failed';
create index deliveries_log_throttled on deliveries (webhook_id, id) where status = 'throttled';
