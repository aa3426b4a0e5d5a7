import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../durable-folders.ts';
import { codeOf } from '../../error-text.ts';
import { type BlobName, type BlobStore, type Bytes, type LentBytes, missingBlob } from '../blob-store.ts';
import { createComparison, createNaming } from '../verified.ts';
import { DURABLE, renameDurably, writeNewFile } from './durable-files.ts';
import { createFolderParts, UPLOAD } from './folder-parts.ts';
import { createSpace, type FreeBytes, freeBytesOf } from './free-space.ts';
import { readInBlocks } from './read-in-blocks.ts';

const READ_BYTES = 256 * 1024;

/** The file name of a stream that is still being written. */
const STREAM = /^[0-9a-f]{32}\.stream$/;

interface Options {
  /** Created with the first blob. */
  readonly folder: string;
  readonly now: () => number;
  readonly freeBytes?: FreeBytes | undefined;
  /** Whether the folder is deleted at the end of the process. */
  readonly temporary?: boolean | undefined;
}

/** The folder of what is being written, within that of the blobs. */
export const UNFINISHED = 'unfinished';

/** Returns the path of a blob. */
export const blobPath = (folder: string, sha256: string): string =>
  join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);

/** Returns a new path for bytes without a name, which `sweep` deletes if they stay there. */
export const streamPath = (folder: string): string =>
  join(folder, UNFINISHED, `${randomBytes(16).toString('hex')}.stream`);

/** Stores blobs in a folder, each as one file named by its SHA-256 that appears only when complete. */
export function createFolderStore({ folder, now, freeBytes = freeBytesOf, temporary }: Options): BlobStore {
  const unfinished = join(folder, UNFINISHED);
  const space = createSpace(folder, freeBytes);
  const pathOf = (sha256: string) => blobPath(folder, sha256);
  const newPath = () => streamPath(folder);
  const openFolder = () => mkdir(unfinished, { recursive: true, mode: 0o700 });
  const head = async (sha256: string) => {
    const found = await stat(pathOf(sha256)).catch(unlessMissing);
    return found && { size: found.size };
  };

  async function openBlob(sha256: string): Promise<FileHandle> {
    const handle = await open(pathOf(sha256)).catch(unlessMissing);
    if (!handle) throw missingBlob();
    return handle;
  }

  async function put(blob: BlobName, bytes: Bytes | LentBytes): Promise<void> {
    await openFolder();
    const path = newPath();
    await space.reserve(blob.size, async () => {
      try {
        const comparison = createComparison(blob);
        await writeNewFile(path, bytes, comparison.look);
        comparison.end();
        await renameDurably(path, pathOf(blob.sha256));
      } finally {
        await rm(path, { force: true });
      }
    });
  }

  return {
    head,
    put,

    async stage(maxBytes, bytes) {
      await openFolder();
      const path = newPath();
      const discard = () => rm(path, { force: true });
      try {
        const naming = createNaming(maxBytes);
        await space.reserve(maxBytes, () => writeNewFile(path, bytes, naming.look));
        const name = naming.name();
        return { name, discard, commit: () => renameDurably(path, pathOf(name.sha256)) };
      } catch (error) {
        await discard();
        throw error;
      }
    },

    async get(sha256, range) {
      return createReadStream('', {
        fd: await openBlob(sha256),
        highWaterMark: READ_BYTES,
        ...(range && { start: range.first, end: range.last }),
      });
    },

    lend: async (sha256, range) => readInBlocks(await openBlob(sha256), range),

    async delete(sha256) {
      const path = pathOf(sha256);
      await rm(path, { force: true });
      await syncFolder(join(path, '..'), DURABLE).catch(unlessMissing);
    },

    parts: createFolderParts({ folder: unfinished, openFolder, space, put }),

    async sweep({ streamsOlderThanMs, uploadsOlderThanMs }) {
      for (const name of (await readdir(unfinished).catch(unlessMissing)) ?? []) {
        const age = STREAM.test(name) ? streamsOlderThanMs : UPLOAD.test(name) ? uploadsOlderThanMs : undefined;
        const path = join(unfinished, name);
        const written = await stat(path).catch(unlessMissing);
        if (age !== undefined && written && now() - written.mtimeMs >= age)
          await rm(path, { recursive: true, force: true });
      }
    },

    async [Symbol.asyncDispose]() {
      if (temporary) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns undefined if a file is missing; rethrows every other error. */
function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
