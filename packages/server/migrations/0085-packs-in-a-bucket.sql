-- Packs of git objects in a bucket. A row is there before a ref leads to an object of its pack, and the pack is in the bucket
-- as long as the row says `stored` or `replaced`.
create table repo_packs (
  -- Of a repository that may have no row yet, or no longer.
  repo_id text not null,
  name text not null,
  bytes bigint not null,
  objects integer not null,
  -- Whether the index is beside the pack; otherwise it follows from the pack, which then has no deltas.
  indexed integer not null,
  -- The number of packs whose objects are all in this one.
  replaces integer not null,
  -- stored; replaced: its objects are in another pack as well; deleting.
  state text not null,
  replaced_by text,
  created_at bigint not null,
  -- When the state changed.
  changed_at bigint not null,
  primary key (repo_id, name)
);
create index repo_packs_created on repo_packs (created_at);
create index repo_packs_leaving on repo_packs (state, changed_at) where state <> 'stored';

-- The bucket of this hub; without a row, git objects are in the data folder.
create table git_buckets (
  one integer primary key check (one = 1),
  -- Also stands in the bucket.
  owner text not null,
  -- Null until the bucket has the owner.
  since bigint
);
