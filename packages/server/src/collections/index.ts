export { type CollectionsQuery, countCollections, listCollections } from './list-store.ts';
export { type CollectionName, requireCollection, requireRole } from './lookup.ts';
export { slugWithId } from './present.ts';
export { collectionRoutes } from './routes.ts';
export { createCollections } from './service.ts';
export { collectionFacts, collectionReadableBy, deleteCollectionRows, setGroupOfCollection } from './store.ts';
export { COLLECTIONS_BACKUP } from './tables.ts';
export { withdrawUpvotesOf } from './upvote-store.ts';
