-- The names of accounts and repositories as lists of repositories are searched by them: `-`, `_` and `.` are equal. Triggers
-- keep the names, in the transaction of each change.
create table searched_names (
  number integer primary key,
  id text not null unique,
  name text not null,
  -- 1 until a task has added the name to the index: added one by one, a name would cost a hundred times as much.
  pending integer not null default 1
);
create index searched_names_pending on searched_names (number) where pending = 1;
-- Which three letters in a row are in which name.
create virtual table searched_name_grams using fts5 (
  name, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none
);

create trigger repositories_added after insert on repositories begin
  insert into searched_names (id, name) values (new.id, replace(replace(new.name_key, '_', '-'), '.', '-'))
    on conflict (id) do update set name = excluded.name, pending = 1
  ; end;
create trigger repositories_renamed after update of name_key on repositories when new.name_key <> old.name_key begin
  insert into searched_names (id, name) values (new.id, replace(replace(new.name_key, '_', '-'), '.', '-'))
    on conflict (id) do update set name = excluded.name, pending = 1
  ; end;
create trigger repositories_removed after delete on repositories begin
  delete from searched_names where id = old.id
  ; end;

create trigger accounts_added after insert on accounts begin
  insert into searched_names (id, name) values (new.id, replace(replace(new.name_key, '_', '-'), '.', '-'))
    on conflict (id) do update set name = excluded.name, pending = 1
  ; end;
create trigger accounts_renamed after update of name_key on accounts when new.name_key <> old.name_key begin
  insert into searched_names (id, name) values (new.id, replace(replace(new.name_key, '_', '-'), '.', '-'))
    on conflict (id) do update set name = excluded.name, pending = 1
  ; end;
create trigger accounts_removed after delete on accounts begin
  delete from searched_names where id = old.id
  ; end;

insert into searched_names (id, name)
select id, replace(replace(name_key, '_', '-'), '.', '-') from accounts;

-- Has a row while names of earlier repositories are missing: a task adds them in the order of the ids, and nothing is
-- searched by these tables until then.
create table name_fills (reached text not null);
insert into name_fills (reached) select '' where exists (select 1 from repositories);
