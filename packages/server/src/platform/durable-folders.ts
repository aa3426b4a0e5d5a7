import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Whether writes wait until files have reached the disk; a hub in memory does not wait. */
export interface DurableFiles {
  readonly durable: boolean;
}

/** Waits until the entries of a folder have reached the disk. */
export async function syncFolder(folder: string, { durable }: DurableFiles): Promise<void> {
  if (!durable) return;
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a folder and its missing parents, and syncs the parent of each. */
export async function makeFolder(folder: string, files: DurableFiles): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made), files);
}
