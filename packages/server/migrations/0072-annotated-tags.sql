-- The object of an annotated tag; `sha` stays the commit that the tag leads to. Null for every other ref.
alter table refs add column tag_id text;
