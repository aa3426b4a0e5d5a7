-- What a reader may read among the repositories of an account is found without looking at the others.
create index repositories_of_owner on repositories (owner_id, private, resource_group_id, type, id);
