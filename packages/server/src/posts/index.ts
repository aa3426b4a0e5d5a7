export { deletePost, findPost, insertPost, type Post, updatePost } from './store.ts';
