export { countOpenedToday } from './daily-quota.ts';
export { requireDiscussions } from './reading.ts';
export { discussionRoutes } from './routes.ts';
export { createDiscussions, type Discussions } from './service.ts';
export { DISCUSSIONS_BACKUP } from './tables.ts';
