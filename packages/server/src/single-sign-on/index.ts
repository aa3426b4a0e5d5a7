export { createSingleSignOn, type SingleSignOn } from './assembly.ts';
export { createPruneSingleSignOn, pruneSingleSignOnTask } from './prune.ts';
export { singleSignOnRoutes } from './routes.ts';
export { SINGLE_SIGN_ON_BACKUP, SINGLE_SIGN_ON_SEALED } from './tables.ts';
