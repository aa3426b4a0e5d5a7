import type { CollectionItem } from '@moonbase/contract/repositories/collections';

/** Returns the path of a collection's page; a slug is namespace/title-id. */
export const pathOfCollection = (slug: string): string =>
  `/collections/${slug.split('/').map(encodeURIComponent).join('/')}`;

const SEGMENTS = { model: '', dataset: '/datasets', space: '/spaces' } as const;

/** Returns the path of the page of an item; undefined for buckets, which have none. */
export function pathOfItem(item: CollectionItem): string | undefined {
  if (item.type === 'collection') return pathOfCollection(item.slug);
  if (item.type === 'paper') return `/papers/${encodeURIComponent(item.id)}`;
  return item.type === 'bucket' ? undefined : `${SEGMENTS[item.type]}/${item.id}`;
}

/** Returns what a list calls an item. */
export const titleOfItem = (item: CollectionItem): string =>
  item.type === 'collection' || item.type === 'paper' ? item.title : item.id;
