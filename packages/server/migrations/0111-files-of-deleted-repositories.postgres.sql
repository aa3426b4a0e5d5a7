-- The large files and the uploads of a deleted repository, of which there may be millions, go later, in steps: no foreign key
-- deletes them.
alter table repo_files drop constraint repo_files_repo_id_fkey;
alter table xet_uploads drop constraint xet_uploads_repo_id_fkey;
