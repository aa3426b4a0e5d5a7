-- The names of accounts and repositories as lists of repositories are searched by them: `-`, `_` and `.` are equal. Triggers
-- keep the names, in the transaction of each change.
create table searched_names (
  id text primary key,
  name text not null
);
-- Which three letters in a row are in which name; this needs no extension. Small lists of new entries keep short the change that
-- has to move them into the index.
create function name_grams(text) returns text[] language sql immutable strict parallel safe as
  'select array(select distinct substr($1, at, 3) from generate_series(1, length($1) - 2) as at)';
create index searched_names_grams on searched_names using gin (name_grams(name)) with (gin_pending_list_limit = 256);

create function put_searched_name() returns trigger language plpgsql as $$ begin
  insert into searched_names (id, name) values (new.id, replace(replace(new.name_key, '_', '-'), '.', '-'))
    on conflict (id) do update set name = excluded.name
  ; return null
  ; end $$;
create function remove_searched_name() returns trigger language plpgsql as $$ begin
  delete from searched_names where id = old.id
  ; return null
  ; end $$;

create trigger repositories_added after insert on repositories
  for each row execute function put_searched_name();
create trigger repositories_renamed after update of name_key on repositories
  for each row when (new.name_key <> old.name_key) execute function put_searched_name();
create trigger repositories_removed after delete on repositories
  for each row execute function remove_searched_name();
create trigger accounts_added after insert on accounts
  for each row execute function put_searched_name();
create trigger accounts_renamed after update of name_key on accounts
  for each row when (new.name_key <> old.name_key) execute function put_searched_name();
create trigger accounts_removed after delete on accounts
  for each row execute function remove_searched_name();

insert into searched_names (id, name)
select id, replace(replace(name_key, '_', '-'), '.', '-') from accounts;

-- Has a row while names of earlier repositories are missing: a task adds them in the order of the ids, and nothing is
-- searched by these tables until then.
create table name_fills (reached text not null);
insert into name_fills (reached) select '' where exists (select 1 from repositories);
