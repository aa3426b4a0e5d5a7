-- The large files and the uploads of a deleted repository, of which there may be millions, go later, in steps: no foreign key
-- deletes them. SQLite changes no column in place, so the tables are built again.
create table repo_files_without_key (
  repo_id text not null,
  sha256 text not null references blobs (sha256),
  size bigint not null,
  pusher_id text references accounts (id) on delete set null,
  pushed_at bigint not null,
  -- Where it was first committed.
  filename text,
  ref text,
  primary key (repo_id, sha256)
);
insert into repo_files_without_key (repo_id, sha256, size, pusher_id, pushed_at, filename, ref)
  select repo_id, sha256, size, pusher_id, pushed_at, filename, ref from repo_files;
drop table repo_files;
alter table repo_files_without_key rename to repo_files;
create index repo_files_sha256 on repo_files (sha256);
create index repo_files_pusher on repo_files (pusher_id) where pusher_id is not null;
create index repo_files_pushed on repo_files (repo_id, pushed_at, sha256);

create table xet_uploads_without_key (
  repo_id text not null,
  hash text not null,
  sha256 text not null references blobs (sha256) on delete cascade,
  size bigint not null,
  -- The hash of the chunks into which the hub cuts the file.
  file_hash text not null,
  uploaded_at bigint not null,
  primary key (repo_id, hash)
);
insert into xet_uploads_without_key (repo_id, hash, sha256, size, file_hash, uploaded_at)
  select repo_id, hash, sha256, size, file_hash, uploaded_at from xet_uploads;
drop table xet_uploads;
alter table xet_uploads_without_key rename to xet_uploads;
create index xet_uploads_by_blob on xet_uploads (sha256, repo_id);
create index xet_uploads_by_time on xet_uploads (uploaded_at);
