export { postRoutes } from './routes.ts';
export { createPosts, type Posts } from './service.ts';
export { findCanonical, findPost, type Post, postsOf } from './store.ts';
