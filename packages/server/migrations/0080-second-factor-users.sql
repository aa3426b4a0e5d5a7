-- Deleting a user finds the second factors by this index; the unique ones cover a part of the rows each.
create index second_factors_user on second_factors (user_id);
