export { scoreOfDay, TRENDING_DAYS } from './policy.ts';
export { likeRoutes } from './routes.ts';
export { createLikes, deleteLikesOf, type Likes } from './service.ts';
export { countLiked, likedAmong, likesByDay } from './store.ts';
export { LIKES_BACKUP } from './tables.ts';
