import type { LargeFiles } from '../../content/index.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import { HubError, tooManyRequests } from '../../platform/http/errors.ts';
import type { UpstreamFileRow } from '../tables.ts';
import { totalOf } from '../total-store.ts';
import { deleteKept, leastUsed, unkeptAmong } from './kept-store.ts';

const BATCH_ROWS = 200;
const SECONDS_TO_WAIT = 30;

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
  const contentIds = files.map(({ content_id }) => content_id);
  await deleteKept(tx, contentIds);
  const sha256s = files.map(({ sha256 }) => sha256);
  await largeFiles.release(tx, await unkeptAmong(tx, sha256s));
}

export type Room = ReturnType<typeof createRoom>;

/** Bounds the bytes that are kept and those that are on their way. */
export function createRoom({ database, largeFiles, maxBytes }: Dependencies) {
  let arriving = 0;

  async function makeRoom(): Promise<void> {
    for (let excess = (await totalOf(database.read, 'files')) + arriving - maxBytes; excess > 0; ) {
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
    /**
     * Makes room for a file; returns the function to be called once it is no longer on its way. Throws 507 if the file is
     * larger than all the room, 429 while others take the room.
     */
    async enter(size: number): Promise<() => void> {
      if (size > maxBytes)
        throw new HubError(507, `A file of ${size} bytes is more than this hub has room for from its upstream`);
      if (size + arriving > maxBytes)
        throw tooManyRequests('Files of the upstream that are on their way take all the room', SECONDS_TO_WAIT);
      arriving += size;
      const leave = () => {
        arriving -= size;
      };
      try {
        await makeRoom();
        return leave;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
