import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, syncFolder } from '../../durable-folders.ts';
import type { Bytes, LentBytes } from '../blob-store.ts';
import { type Look, looking } from '../verified.ts';

/** Blobs always wait for the disk. */
export const DURABLE = { durable: true } as const;

/** While some pieces are written, others are gathered up to this size. */
const WRITE_BYTES = 512 * 1024;

/**
 * Creates a file; its bytes are durable on return. `look` is called with each piece. If that or writing fails, the partial
 * file stays, closed.
 */
export async function writeNewFile(path: string, bytes: Bytes | LentBytes, look: Look): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await ('lent' in bytes ? writeEach(handle, bytes.lent, look) : writeGathered(handle, looking(look, bytes)));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes each piece, and looks at it meanwhile, before it asks for the next one. */
async function writeEach(handle: FileHandle, bytes: Bytes, look: Look): Promise<void> {
  for await (const piece of bytes) {
    const writing = writeAll(handle, [piece]);
    try {
      look(piece);
    } finally {
      await writing;
    }
  }
}

/** Writes pieces at once, or together those that arrive while others are written. */
async function writeGathered(handle: FileHandle, bytes: Bytes): Promise<void> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let isWriting = false;
  let writing = Promise.resolve();
  try {
    for await (const piece of bytes) {
      pieces.push(piece);
      size += piece.length;
      if (isWriting && size < WRITE_BYTES) continue;
      await writing;
      isWriting = true;
      writing = writeAll(handle, pieces).finally(() => {
        isWriting = false;
      });
      // A failure is thrown where the next pieces wait.
      writing.catch(() => {});
      [pieces, size] = [[], 0];
    }
    await writing;
    await writeAll(handle, pieces);
  } finally {
    await writing.catch(() => {});
  }
}

async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  if (pieces.length === 0) return;
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  let { bytesWritten } = await handle.writev(pieces);
  if (bytesWritten === size) return;
  const all = Buffer.concat(pieces);
  while (bytesWritten < size) bytesWritten += (await handle.write(all, bytesWritten)).bytesWritten;
}

/** Moves a file with durable bytes to its final name. */
export async function renameDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  await makeFolder(folder, DURABLE);
  await rename(from, to);
  await syncFolder(folder, DURABLE);
}
