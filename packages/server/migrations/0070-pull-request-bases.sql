-- The branch that a pull request is to be merged into; without a meaning for discussions.
alter table discussions add column base_ref text not null default 'refs/heads/main';
