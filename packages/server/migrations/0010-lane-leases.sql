-- Who sends the deliveries of a lane, until when. Deliveries themselves are not marked while they are sent.
create table lane_leases (
  lane text primary key,
  owner text not null,
  held_until bigint not null
);
alter table deliveries drop column lease;
