-- PostgreSQL cannot take this index for a ref by its name, which it did where most repositories have one ref.
drop index refs_sha;
create index refs_sha on refs (sha, repo_id);
