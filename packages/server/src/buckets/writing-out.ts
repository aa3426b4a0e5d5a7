import { appendFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import {
  CheckOutFault,
  type CheckOutSize,
  type CheckOutTarget,
  type LargeFiles,
  makeFolder,
  writeNewFile,
} from '../content/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { codeOf } from '../platform/error-text.ts';
import type { BucketFileRow } from './tables.ts';
import { listFiles } from './tree-store.ts';

const PAGE_ROWS = 1000;

/** The modes of what a container of any user may change, in a folder that only the hub and its engine reach. */
const WRITABLE = { file: 0o666, folder: 0o777 };
const READABLE = { file: 0o644, folder: 0o755 };

interface Dependencies {
  readonly read: ReadExecutor;
  readonly largeFiles: Pick<LargeFiles, 'range'>;
}

/** A bucket, or the part of it below a path. */
export interface BucketFolder {
  readonly bucketId: string;
  readonly path?: string | undefined;
}

interface OutTarget extends CheckOutTarget {
  /** Whether the files are to be read back later. */
  readonly writable: boolean;
}

/** Returns with what the paths of a folder begin. */
export const prefixOf = ({ path }: Pick<BucketFolder, 'path'>): string =>
  path === undefined ? '' : `${path.replace(/\/+$/, '')}/`;

/** Returns the file that notes, in lines, what was written into a folder: first the bucket, then each file. */
export const noteOf = (folder: string): string => `${folder}.files`;

/** A file as it was written: its path in the folder, its size, and its time of change in milliseconds. */
export type NotedFile = readonly [path: string, size: number, mtime: number];

/** Returns a function that writes the files of a bucket into a new folder, like the `CheckOut` of a commit. */
export function createWritingOut({ read, largeFiles }: Dependencies) {
  async function bytesOf({ bucket_id, sha256, size, path }: BucketFileRow): Promise<Readable> {
    if (size === 0) return Readable.from([]);
    const bytes = await largeFiles.range(read, bucket_id, { sha256, size }, { first: 0, last: size - 1 });
    if (!bytes) throw new CheckOutFault(`the bytes of ${path} are damaged, or the file was just deleted`);
    return bytes;
  }

  return async (
    { bucketId, path }: BucketFolder,
    { folder, max, signal, writable }: OutTarget,
  ): Promise<CheckOutSize> => {
    const prefix = prefixOf({ path });
    const modes = writable ? WRITABLE : READABLE;
    const made = new Set<string>();
    let used = { bytes: 0, entries: 0 };

    function use(bytes: number): void {
      used = { bytes: used.bytes + bytes, entries: used.entries + 1 };
      if (used.bytes > max.bytes) throw new CheckOutFault('the files are larger than this hub allows');
      if (used.entries > max.entries) throw new CheckOutFault('there are too many files');
    }

    /** Makes a folder below the new one with those that it is in. */
    async function ensure(inside: string): Promise<void> {
      if (inside === '.' || made.has(inside)) return;
      await ensure(dirname(inside));
      use(0);
      await makeFolder(join(folder, inside), modes.folder);
      made.add(inside);
    }

    async function writeOne(file: BucketFileRow): Promise<string> {
      signal.throwIfAborted();
      const inside = file.path.slice(prefix.length);
      use(file.size);
      await ensure(dirname(inside));
      const place = join(folder, inside);
      await writeNewFile(place, await bytesOf(file), { mode: modes.file, mtime: file.mtime, signal });
      // The disk may not keep every time.
      const noted: NotedFile = [inside, file.size, Math.round((await stat(place)).mtimeMs)];
      return `${JSON.stringify(noted)}\n`;
    }

    await makeFolder(folder, modes.folder);
    if (writable) await appendFile(noteOf(folder), `${JSON.stringify(bucketId)}\n`, { mode: 0o600 });
    let after: string | undefined;
    do {
      const page = await listFiles(read, bucketId, { prefix, after, direction: 'asc', limit: PAGE_ROWS });
      if (page.length === 0 && after === undefined && path !== undefined && !writable)
        throw new CheckOutFault(`there is no folder ${path}`);
      const lines: string[] = [];
      for (const file of page) lines.push(await writeOne(file).catch((error: unknown) => rethrow(error, file.path)));
      if (writable) await appendFile(noteOf(folder), lines.join(''));
      after = page.length < PAGE_ROWS ? undefined : page.at(-1)?.path;
    } while (after !== undefined);
    return used;
  };
}

/** A bucket can have a file and files below its path, a folder cannot. */
function rethrow(error: unknown, path: string): never {
  if (['EEXIST', 'ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? ''))
    throw new CheckOutFault(`${path} is both a file and a folder`);
  throw error;
}
