-- The visibility of repositories that an organization's members create without naming one; null: public.
alter table organization_settings add column default_repo_visibility text;
