export { type Claims, createClaims } from './claims.ts';
export { type ClaimEvent, claimTopic } from './events.ts';
export { periodOf } from './period.ts';
export { paperRoutes } from './routes.ts';
export { createPapers, type Papers } from './service.ts';
export { countPapers, findPaper, findPapers, listPapers, type Paper } from './store.ts';
export { PAPERS_BACKUP } from './tables.ts';
