// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as collections from '@moonbase/contract/repositories/collections';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type ListedCollection = SuccessAnswer<typeof collections.listCollections>[number];

export type Collection = SuccessAnswer<typeof collections.createCollection>;

/**
 * List collections. Each with at most four items. Private collections are listed for those who may read them. A
 * page has at most 100. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listCollections(
  params: Hub & {
    /** Namespaces: any of them. May be repeated. */
    readonly owner?: RouteQuery<typeof collections.listCollections>['owner'];
    /**
     * Items such as `models/ns/name`, `papers/2401.00001` or `collections/<slug>`: collections with any of them. May
     * be repeated.
     */
    readonly item?: RouteQuery<typeof collections.listCollections>['item'];
    /** Words that the title contains; case is ignored. */
    readonly q?: string | undefined;
    readonly sort?: RouteQuery<typeof collections.listCollections>['sort'];
    /** Collections per page, at most 100 whatever is given. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof collections.listCollections>, void, undefined> {
  return entriesOf<typeof collections.listCollections>(params, {
    method: 'GET',
    path: '/api/collections',
    query: { owner: params.owner, item: params.item, q: params.q, sort: params.sort, limit: params.pageSize },
  });
}

/**
 * Create a collection. In an organization: for those with the role write or above; in a resource group, with that
 * role there. A namespace has each title once, without case.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: For a resource group, the organization needs the Enterprise plan.
 * - 404: The namespace, the resource group or the item does not exist, or the caller may not see it.
 * - 409: The namespace has a collection with this title; `slug` names it.
 */
export function createCollection(
  params: Hub & {
    readonly title: string;
    readonly description?: RouteBody<typeof collections.createCollection>['description'];
    /** Default: that of the caller. */
    readonly namespace?: string | undefined;
    /** Default: public. */
    readonly private?: RouteBody<typeof collections.createCollection>['private'];
    readonly item?: RouteBody<typeof collections.createCollection>['item'];
    /** The resource group of the organization to create the collection in. Enterprise plan. */
    readonly resourceGroupId?: RouteBody<typeof collections.createCollection>['resourceGroupId'];
  },
): Promise<SuccessAnswer<typeof collections.createCollection>> {
  return call<typeof collections.createCollection>(params, {
    method: 'POST',
    path: '/api/collections',
    body: {
      title: params.title,
      description: params.description,
      namespace: params.namespace,
      private: params.private,
      item: params.item,
      resourceGroupId: params.resourceGroupId,
    },
  });
}

/**
 * Get a collection with its items.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getCollection(
  params: Hub & {
    readonly namespace: string;
    /** The part behind the namespace, or the id alone. */
    readonly slug: string;
  },
): Promise<SuccessAnswer<typeof collections.getCollection>> {
  return call<typeof collections.getCollection>(params, {
    method: 'GET',
    path: '/api/collections/{namespace}/{slug}',
    params: { namespace: params.namespace, slug: params.slug },
  });
}

/**
 * Get a collection by its id.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getCollectionById(
  params: Hub & {
    readonly collectionId: string;
  },
): Promise<SuccessAnswer<typeof collections.getCollectionById>> {
  return call<typeof collections.getCollectionById>(params, {
    method: 'GET',
    path: '/api/collections/{collectionId}',
    params: { collectionId: params.collectionId },
  });
}

/**
 * Update a collection. A new title changes the slug but not the id in it.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The namespace has another collection with this title; `slug` names it.
 */
export function updateCollection(
  params: Hub & {
    readonly namespace: string;
    /** The part behind the namespace, or the id alone. */
    readonly slug: string;
    readonly title?: string | undefined;
    readonly description?: RouteBody<typeof collections.updateCollection>['description'];
    readonly position?: number | undefined;
    readonly private?: boolean | undefined;
    readonly theme?: RouteBody<typeof collections.updateCollection>['theme'];
  },
): Promise<SuccessAnswer<typeof collections.updateCollection>> {
  return call<typeof collections.updateCollection>(params, {
    method: 'PATCH',
    path: '/api/collections/{namespace}/{slug}',
    params: { namespace: params.namespace, slug: params.slug },
    body: {
      title: params.title,
      description: params.description,
      position: params.position,
      private: params.private,
      theme: params.theme,
      gating: false,
    },
  });
}

/**
 * Delete a collection.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteCollection(
  params: Hub & {
    readonly namespace: string;
    /** The part behind the namespace, or the id alone. */
    readonly slug: string;
  },
): Promise<SuccessAnswer<typeof collections.deleteCollection>> {
  return call<typeof collections.deleteCollection>(params, {
    method: 'DELETE',
    path: '/api/collections/{namespace}/{slug}',
    params: { namespace: params.namespace, slug: params.slug },
  });
}

/**
 * Add an item to the end of a collection.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The item is there already, or the collection is full.
 */
export function addCollectionItem(
  params: Hub & {
    readonly namespace: string;
    /** The part behind the namespace, or the id alone. */
    readonly slug: string;
    readonly item: RouteBody<typeof collections.addCollectionItem>['item'];
    readonly note?: RouteBody<typeof collections.addCollectionItem>['note'];
  },
): Promise<SuccessAnswer<typeof collections.addCollectionItem>> {
  return call<typeof collections.addCollectionItem>(params, {
    method: 'POST',
    path: '/api/collections/{namespace}/{slug}/items',
    params: { namespace: params.namespace, slug: params.slug },
    body: { item: params.item, note: params.note },
  });
}

/**
 * Change the note or the position of an item.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function updateCollectionItem(
  params: Hub & {
    readonly namespace: string;
    /** The part behind the namespace, or the id alone. */
    readonly slug: string;
    readonly itemId: string;
    /** An empty text or null removes the note. */
    readonly note?: RouteBody<typeof collections.updateCollectionItem>['note'];
    /** Moves the item to this place; all items are then numbered from 0. */
    readonly position?: number | undefined;
  },
): Promise<SuccessAnswer<typeof collections.updateCollectionItem>> {
  return call<typeof collections.updateCollectionItem>(params, {
    method: 'PATCH',
    path: '/api/collections/{namespace}/{slug}/items/{itemId}',
    params: { namespace: params.namespace, slug: params.slug, itemId: params.itemId },
    body: { note: params.note, position: params.position },
  });
}

/**
 * Change several items, one after the other. If one of them is not there, nothing changes.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function updateCollectionItems(
  params: Hub & {
    readonly namespace: string;
    /** The part behind the namespace, or the id alone. */
    readonly slug: string;
    readonly changes: RouteBody<typeof collections.updateCollectionItems>;
  },
): Promise<SuccessAnswer<typeof collections.updateCollectionItems>> {
  return call<typeof collections.updateCollectionItems>(params, {
    method: 'POST',
    path: '/api/collections/{namespace}/{slug}/items/batch',
    params: { namespace: params.namespace, slug: params.slug },
    body: params.changes,
  });
}

/**
 * Remove an item from a collection.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteCollectionItem(
  params: Hub & {
    readonly namespace: string;
    /** The part behind the namespace, or the id alone. */
    readonly slug: string;
    readonly itemId: string;
  },
): Promise<SuccessAnswer<typeof collections.deleteCollectionItem>> {
  return call<typeof collections.deleteCollectionItem>(params, {
    method: 'DELETE',
    path: '/api/collections/{namespace}/{slug}/items/{itemId}',
    params: { namespace: params.namespace, slug: params.slug, itemId: params.itemId },
  });
}

/**
 * Upvote a collection; again changes nothing.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function upvoteCollection(
  params: Hub & {
    readonly namespace: string;
    /** The part behind the namespace, or the id alone. */
    readonly slug: string;
  },
): Promise<SuccessAnswer<typeof collections.upvoteCollection>> {
  return call<typeof collections.upvoteCollection>(params, {
    method: 'POST',
    path: '/api/collections/{namespace}/{slug}/upvote',
    params: { namespace: params.namespace, slug: params.slug },
  });
}

/**
 * Withdraw the caller's upvote; again changes nothing.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function withdrawCollectionUpvote(
  params: Hub & {
    readonly namespace: string;
    /** The part behind the namespace, or the id alone. */
    readonly slug: string;
  },
): Promise<SuccessAnswer<typeof collections.withdrawCollectionUpvote>> {
  return call<typeof collections.withdrawCollectionUpvote>(params, {
    method: 'DELETE',
    path: '/api/collections/{namespace}/{slug}/upvote',
    params: { namespace: params.namespace, slug: params.slug },
  });
}
