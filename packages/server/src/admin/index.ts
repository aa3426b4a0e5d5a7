export { createDeadLetters, type DeadLetters } from './dead-letters.ts';
export { type AdminLists, createAdminLists } from './lists.ts';
export { adminRoutes } from './routes.ts';
export { type Admin, createAdmin } from './service.ts';
export { createHubStatus, type ReadHubStatus } from './status.ts';
