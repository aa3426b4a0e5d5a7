import type { Collection, CollectionItem, ListedCollection } from '@moonbase/contract/repositories/collections';
import { type Account, avatarUrl } from '../accounts/index.ts';
import type { Paper } from '../papers/index.ts';
import { timestamp } from '../platform/clock.ts';
import { escapeHtml } from '../platform/markdown/plain-text.ts';
import { fullName, type Repository } from '../repositories/index.ts';
import type { CollectionItemRow, CollectionRow } from './tables.ts';

/** What collections and their items show, by ids; what the caller may not read is not there. */
export interface Facts {
  readonly baseUrl: string;
  readonly repos: ReadonlyMap<string, Repository>;
  readonly papers: ReadonlyMap<string, Paper>;
  readonly nested: ReadonlyMap<string, CollectionRow>;
  readonly owners: ReadonlyMap<string, Account>;
  /** The collections that the caller has upvoted. */
  readonly upvoted: ReadonlySet<string>;
}

export const slugWithId = (owner: Pick<Account, 'name'>, { id, slug }: Pick<CollectionRow, 'id' | 'slug'>): string =>
  `${owner.name}/${slug === '' ? id : `${slug}-${id}`}`;

/** Returns what collections show alone and as items of others; undefined if the owner is gone. */
function commonOf(collection: CollectionRow, { baseUrl, owners, upvoted }: Facts) {
  const owner = owners.get(collection.owner_id);
  if (!owner) return undefined;
  const slug = slugWithId(owner, collection);
  return {
    slug,
    title: collection.title,
    ...(collection.description !== '' && { description: collection.description }),
    lastUpdated: timestamp(collection.updated_at),
    owner: {
      _id: owner.id,
      name: owner.name,
      fullname: owner.fullname,
      avatarUrl: avatarUrl(baseUrl, owner),
      type: owner.kind,
    },
    theme: collection.theme,
    private: collection.private === 1,
    upvotes: collection.upvotes,
    isUpvotedByUser: upvoted.has(collection.id),
    shareUrl: `${baseUrl}/collections/${slug}`,
  };
}

function ofRepo(repo: Repository) {
  const { type } = repo;
  if (type === 'kernel') return undefined;
  return {
    type,
    id: fullName(repo),
    repoType: type,
    author: repo.ownerName,
    private: repo.private === 1,
    gated: repo.gated ?? (false as const),
    lastModified: timestamp(repo.last_modified),
    likes: repo.likes,
    ...(type !== 'space' && type !== 'bucket' && { downloads: Number(repo.downloads) }),
    ...(type === 'space' && repo.sdk !== null && { sdk: repo.sdk }),
  };
}

const ofPaper = ({ arxiv_id, title, created_at }: Paper) => ({
  type: 'paper' as const,
  id: arxiv_id,
  title,
  publishedAt: timestamp(created_at),
});

function ofNested(nested: CollectionRow, facts: Facts) {
  const common = commonOf(nested, facts);
  return common && { type: 'collection' as const, id: nested.id, ...common };
}

function shownBy(item: CollectionItemRow, facts: Facts) {
  const repo = facts.repos.get(item.repo_id ?? '');
  if (repo) return ofRepo(repo);
  const paper = facts.papers.get(item.paper_id ?? '');
  if (paper) return ofPaper(paper);
  const nested = facts.nested.get(item.nested_id ?? '');
  return nested && ofNested(nested, facts);
}

function presentItem(item: CollectionItemRow, facts: Facts): CollectionItem[] {
  const shown = shownBy(item, facts);
  if (!shown) return [];
  const note = item.note === null ? {} : { note: { text: item.note, html: escapeHtml(item.note) } };
  return [{ _id: item.id, position: item.position, ...note, ...shown }];
}

/** Presents a collection with those of its items that the caller may read; nothing if the owner is gone. */
export function presentListed(
  collection: CollectionRow,
  items: readonly CollectionItemRow[],
  facts: Facts,
): ListedCollection | undefined {
  const common = commonOf(collection, facts);
  return common && { ...common, gating: false, items: items.flatMap((item) => presentItem(item, facts)) };
}

export function presentCollection(
  collection: CollectionRow,
  items: readonly CollectionItemRow[],
  facts: Facts,
  isEditableByUser: boolean,
): Collection | undefined {
  const listed = presentListed(collection, items, facts);
  return listed && { ...listed, position: collection.position, isEditableByUser };
}
