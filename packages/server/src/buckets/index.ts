export { filesOfBucket } from './bytes-store.ts';
export { createPruneBuckets, pruneBucketsTask } from './pruning.ts';
export { bucketRoutes } from './routes.ts';
export { type Buckets, createBuckets } from './service.ts';
export { totalsOf } from './store.ts';
export { BUCKETS_BACKUP } from './tables.ts';
