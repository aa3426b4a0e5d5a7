export { xetRoutes } from './routes.ts';
export { UPLOAD_MS } from './sent-files.ts';
export { createXet, type Xet, type XetBytes } from './service.ts';
export { XET_BACKUP } from './tables.ts';
export { bucketOfOldest, deleteUploads } from './uploads-store.ts';
