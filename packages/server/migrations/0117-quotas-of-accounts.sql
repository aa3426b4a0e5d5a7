-- The quota that a site administrator gave one account, in thousandths of a GiB of large files. Null: that of the settings; -1: no limit.
alter table accounts add column storage_quota bigint;
-- The sum of what an account has is read from the index alone.
create index repo_files_sizes on repo_files (repo_id, size);
