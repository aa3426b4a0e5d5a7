export { createMirrors, type Mirrors, type RemoteTimes } from './assembly.ts';
export { mirrorRoutes } from './routes.ts';
export { shiftMirrorsDue, waitingMirrors } from './store.ts';
export { MIRRORS_BACKUP, MIRRORS_SEALED } from './tables.ts';
