export { createDeadLetters, type DeadLetters } from './dead-letters.ts';
export { type AdminLists, createAdminLists } from './lists.ts';
export { createNewUser } from './new-user.ts';
export { createRetention } from './retention.ts';
export { adminRoutes, HUB_DOCUMENT } from './routes.ts';
export { type Admin, createAdmin } from './service.ts';
export { createListSettings } from './settings.ts';
export { createHubStatus, type ReadHubStatus } from './status.ts';
