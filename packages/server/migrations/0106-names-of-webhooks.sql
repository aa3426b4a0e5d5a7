-- What the owner calls a webhook and says about it; null where nothing is said.
alter table webhooks add column name text;
alter table webhooks add column description text;
