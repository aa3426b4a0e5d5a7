-- Papers are listed by when they came to this hub, and searched by the words of their titles.
alter table papers add column title_key text not null default '';
update papers set title_key = lower(title);
create index papers_newest on papers (created_at, id);
