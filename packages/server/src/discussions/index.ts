export { renderMarkdown } from './markdown.ts';
export { discussionRoutes } from './routes.ts';
export { createDiscussions, type Discussions } from './service.ts';
export type { CommentData } from './store.ts';
