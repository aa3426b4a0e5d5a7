-- The tags of a repository in 52 bits, by which a list passes over most rows without looking for a tag; null: not made yet.
alter table repositories add column tag_signature bigint;

-- Has a row while signatures of earlier repositories are missing: a task makes them in the order of the ids.
create table signature_fills (reached text not null);
insert into signature_fills (reached) select '' where exists (select 1 from repositories);
