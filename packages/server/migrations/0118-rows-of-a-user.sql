-- The export of a user reads the rows of the user page by page, in the order of these indexes.
create index discussions_author_id on discussions (author_id, id);
drop index discussions_author;
create index discussion_events_author_id on discussion_events (author_id, id);
drop index discussion_events_author;
create index comments_author_id on comments (author_id, id);
drop index comments_author;
create index access_requests_user_id on access_requests (user_id, id);
drop index access_requests_of_user;
create index collection_upvotes_user_collection on collection_upvotes (user_id, collection_id);
drop index collection_upvotes_user;
create index memberships_user_org on memberships (user_id, org_id);
drop index memberships_user;
create index file_locks_owner_id on file_locks (owner_id, id);
drop index file_locks_owner;
create index mirrors_user_id on mirrors (user_id, id);
create index jobs_creator_id on jobs (created_by, id);
create index scheduled_jobs_creator_id on scheduled_jobs (created_by, id);
