import type { LargeFiles } from '../../content/index.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import { HubError } from '../../platform/http/errors.ts';
import type { UpstreamFileRow } from '../tables.ts';
import { deleteKept, keptBytes, leastUsed } from './kept-store.ts';

const BATCH_ROWS = 200;

interface Dependencies {
  readonly database: Database;
  readonly largeFiles: Pick<LargeFiles, 'release'>;
  readonly maxBytes: number;
}

/** Forgets kept files; their bytes are deleted soon, unless somebody else needs them. */
export async function forgetFiles(
  tx: Executor,
  largeFiles: Pick<LargeFiles, 'release'>,
  files: readonly UpstreamFileRow[],
): Promise<void> {
  await deleteKept(
    tx,
    files.map(({ content_id }) => content_id),
  );
  for (const { sha256, held_until } of files) await largeFiles.release(tx, sha256, held_until);
}

/** Bounds the bytes that are kept and those that are on their way. */
export function createRoom({ database, largeFiles, maxBytes }: Dependencies) {
  let arriving = 0;

  async function makeRoom(size: number): Promise<void> {
    for (let excess = (await keptBytes(database.read)) + arriving + size - maxBytes; excess > 0; ) {
      const files = await leastUsed(database.read, { limit: BATCH_ROWS });
      if (files.length === 0) return;
      const enough: UpstreamFileRow[] = [];
      for (const file of files) {
        if (excess <= 0) break;
        enough.push(file);
        excess -= file.size;
      }
      await database.transaction((tx) => forgetFiles(tx, largeFiles, enough));
    }
  }

  return {
    /** Runs work that stores a file, once there is room for it. Throws 507 if the file is larger than all the room. */
    async within<T>(size: number, work: () => Promise<T>): Promise<T> {
      if (size + arriving > maxBytes)
        throw new HubError(507, `A file of ${size} bytes is more than this hub has room for from its upstream`);
      arriving += size;
      try {
        await makeRoom(0);
        return await work();
      } finally {
        arriving -= size;
      }
    },
  };
}
