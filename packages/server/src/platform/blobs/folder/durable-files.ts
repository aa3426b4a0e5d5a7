import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder, syncFolder } from '../../durable-folders.ts';

/** Blobs always wait for the disk. */
export const DURABLE = { durable: true } as const;

const WRITE_BYTES = 1024 * 1024;

/** Creates a file; its bytes are durable on return. If writing fails, the partial file stays, closed. */
export async function writeNewFile(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  // The file is opened before the pipeline starts, so that a caller who deletes it after a failure cannot be overtaken
  // by its creation.
  const handle = await open(path, 'wx', 0o600);
  await pipeline(bytes, handle.createWriteStream({ highWaterMark: WRITE_BYTES, flush: true }));
}

/** Moves a file with durable bytes to its final name. */
export async function renameDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  await makeFolder(folder, DURABLE);
  await rename(from, to);
  await syncFolder(folder, DURABLE);
}
