export { createRender } from './render.ts';
export { avatarRoutes } from './routes.ts';
export { type Avatars, createAvatars } from './service.ts';
