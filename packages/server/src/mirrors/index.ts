export { createMirrors, type Mirrors, type RemoteTimes } from './assembly.ts';
export { plainText, RemoteFault } from './remote/fault.ts';
export { type Pace, withPace } from './remote/pace.ts';
export { createTransport } from './remote/transport.ts';
export { mirrorRoutes } from './routes.ts';
export { shiftMirrorsDue, waitingMirrors } from './store.ts';
export { MIRRORS_BACKUP, MIRRORS_SEALED } from './tables.ts';
