-- Old secrets that still count, to be forgotten when they do not.
create index webhooks_rotated on webhooks (old_secret_until) where old_secret is not null;
