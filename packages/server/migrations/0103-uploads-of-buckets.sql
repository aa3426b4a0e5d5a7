-- Lists of a bucket by the time of upload.
create index bucket_files_by_upload on bucket_files (bucket_id, uploaded_at, path);
