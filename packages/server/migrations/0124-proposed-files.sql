-- The user who proposed the file without the right to write: it counts for the quota of that user instead of the owner of
-- the repository, until a writer commits or merges it. No foreign key: whoever deletes the account does not hand it to the owner.
alter table repo_files add column proposer_id text;
create index repo_files_proposers on repo_files (proposer_id, repo_id, size) where proposer_id is not null;
drop index repo_files_sizes;
create index repo_files_sizes on repo_files (repo_id, size, proposer_id);
