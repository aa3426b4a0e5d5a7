-- What the hub has read from the files of a repository, at a commit of main: the metadata of its README, and facts about
-- its weights. Lists and pages read these rows and no files.
create table repo_cards (
  repo_id text primary key references repositories (id) on delete cascade,
  sha text not null,
  -- Why the metadata of the README cannot be read.
  error text,
  -- The metadata, the tags and further facts as JSON.
  card text,
  tags text not null,
  details text not null,
  library_name text,
  pipeline_tag text
);

-- Repositories whose files are to be read, as main moved.
create table card_reads (
  repo_id text primary key references repositories (id) on delete cascade,
  due_at bigint not null,
  attempts integer not null
);
create index card_reads_due on card_reads (due_at);

-- What begins with a commit of its own and has no other needs no reading.
insert into card_reads (repo_id, due_at, attempts)
select repositories.id, 0, 0 from repositories
where head_sha is not null and not exists (
  select 1 from root_commits where root_commits.repo_id = repositories.id and root_commits.sha = repositories.head_sha
);
