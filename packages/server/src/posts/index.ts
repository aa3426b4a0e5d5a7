export { postRoutes } from './routes.ts';
export { createPosts, type Posts } from './service.ts';
export { findCanonical, findPost, type Post, postsOf } from './store.ts';
export { POSTS_BACKUP } from './tables.ts';
