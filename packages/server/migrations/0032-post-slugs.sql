-- A slug alone leads to a canonical article, and names articles of any author in a filter: both look it up here.
drop index posts_canonical;
create index posts_slug on posts (slug, id);
