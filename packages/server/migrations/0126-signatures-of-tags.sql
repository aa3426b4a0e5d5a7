-- The tags of a repository in 52 bits, by which a list passes over most rows without looking for a tag; null: not made yet.
alter table repositories add column tag_signature bigint;
-- The commit whose tags are in the signature. The release before stores facts without it, and the signature is made anew.
alter table repo_cards add column signed_sha text;
create trigger repo_cards_added_unsigned after insert on repo_cards when new.signed_sha is not new.sha begin
  update repositories set tag_signature = null where id = new.repo_id and tag_signature is not null
  ; end;
create trigger repo_cards_changed_unsigned after update of sha on repo_cards when new.signed_sha is not new.sha begin
  update repositories set tag_signature = null where id = new.repo_id and tag_signature is not null
  ; end;

-- Has a row while signatures of earlier repositories are missing: a task makes them in the order of the ids.
create table signature_fills (reached text not null);
insert into signature_fills (reached) select '' where exists (select 1 from repositories);
