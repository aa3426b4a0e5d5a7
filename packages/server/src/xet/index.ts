export { xetRoutes } from './routes.ts';
export { createXet, type Xet, type XetBytes } from './service.ts';
export { XET_BACKUP } from './tables.ts';
