import type { CollectionItem } from '@moonbase/contract/repositories/collections';

/** Returns the path of a collection's page; a slug is namespace/title-id. */
export const pathOfCollection = (slug: string): string =>
  `/collections/${slug.split('/').map(encodeURIComponent).join('/')}`;

const SEGMENTS = { model: '', dataset: '/datasets', space: '/spaces', bucket: '/buckets' } as const;

/** Returns the path of the page of an item. */
export function pathOfItem(item: CollectionItem): string {
  if (item.type === 'collection') return pathOfCollection(item.slug);
  if (item.type === 'paper') return `/papers/${encodeURIComponent(item.id)}`;
  return `${SEGMENTS[item.type]}/${item.id}`;
}

/** Returns what a list calls an item. */
export const titleOfItem = (item: CollectionItem): string =>
  item.type === 'collection' || item.type === 'paper' ? item.title : item.id;
