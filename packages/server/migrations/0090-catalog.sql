-- What lists of repositories are sorted by. The counts are copies that a task refreshes; the score is in thousandths.
alter table repositories add column downloads bigint not null default 0;
alter table repositories add column likes integer not null default 0;
alter table repositories add column trending_score bigint not null default 0;
update repositories set downloads = (
  select coalesce(sum(d.downloads), 0) from repo_downloads d where d.repo_id = repositories.id and d.day > 0
) where id in (select repo_id from repo_downloads);
create index repositories_by_created on repositories (type, private, created_at, id);
create index repositories_by_modified on repositories (type, private, last_modified, id);
create index repositories_by_downloads on repositories (type, private, downloads, id);
create index repositories_by_likes on repositories (type, private, likes, id);
create index repositories_by_trending on repositories (type, private, trending_score, id);

-- The tags of repositories in lower case, to filter lists by; for Spaces also the models and datasets that they use.
create table repo_tags (
  tag text not null,
  type text not null,
  repo_id text not null references repositories (id) on delete cascade,
  primary key (tag, type, repo_id)
);
create index repo_tags_repo on repo_tags (repo_id);
