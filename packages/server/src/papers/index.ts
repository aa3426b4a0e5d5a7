export { type ClaimChange, type Claims, createClaims } from './claims.ts';
export { paperRoutes } from './routes.ts';
export { createPapers, type Papers } from './service.ts';
export { findPaper } from './store.ts';
