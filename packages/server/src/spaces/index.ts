export { spaceRoutes } from './routes.ts';
export { runtimeOf, runtimesOf } from './runtime.ts';
export { createSpaces, type Spaces } from './service.ts';
export { type EntryKind, entryKindsOf } from './store.ts';
export { SPACES_BACKUP, SPACES_SEALED } from './tables.ts';
export { volumesRefusal } from './volume-access.ts';
export { isFullName, volumesFault } from './volume-policy.ts';
export { spaceVolumesFault } from './volumes.ts';
