export { createBackups } from './assembly.ts';
export { lastBackups } from './last.ts';
export { createBucketPlace } from './places/bucket-place.ts';
export { createFolderPlace } from './places/folder-place.ts';
export { downloadNewest, newestInFolder } from './places/newest.ts';
export { BACKUPS_BACKUP } from './tables.ts';
export type { PruneFiles, WriteBackup } from './write.ts';
