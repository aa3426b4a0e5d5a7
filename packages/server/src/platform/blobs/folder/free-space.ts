import { codeOf } from '../../error-text.ts';
import { spaceOf } from '../../files/disk-space.ts';
import { BlobError } from '../blob-store.ts';

/** The space that uploads leave free, because the database may be on the same disk. */
const MARGIN_BYTES = 256 * 1024 * 1024;

const NO_SPACE = 'There is no space for this file on the disk of the hub';

/** Returns the free bytes of the file system of a folder. */
export type FreeBytes = (folder: string) => Promise<number>;

export const freeBytesOf: FreeBytes = async (folder) => (await spaceOf(folder)).freeBytes;

/** Keeps uploads within the free space: each reserves its size until it is written or has failed. */
export function createSpace(folder: string, freeBytes: FreeBytes) {
  let reserved = 0;
  return {
    async reserve<T>(size: number, write: () => Promise<T>): Promise<T> {
      reserved += size;
      try {
        if ((await freeBytes(folder)) - reserved < MARGIN_BYTES) throw new BlobError('full', NO_SPACE);
        return await write();
      } catch (error) {
        throw asBlobError(error);
      } finally {
        reserved -= size;
      }
    },
  };
}

const FULL_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Translates out-of-space errors of the file system; other errors stay as they are. */
function asBlobError(error: unknown): unknown {
  return FULL_CODES.includes(codeOf(error) ?? '') ? new BlobError('full', NO_SPACE, { cause: error }) : error;
}
