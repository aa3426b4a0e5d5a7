-- The repositories that a job runs on, as JSON, with the ids that their names stood for when it was launched.
alter table jobs add column sources text;
