export { discussionRoutes } from './routes.ts';
export { createDiscussions, type Discussions } from './service.ts';
