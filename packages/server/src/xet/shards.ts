import type { LargeFiles } from '../content/index.ts';
import type { Bytes } from '../platform/blobs/blob-store.ts';
import type { Clock } from '../platform/clock.ts';
import { readAhead } from '../platform/concurrency/read-ahead.ts';
import { createKeyedSemaphore } from '../platform/concurrency/semaphore.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { ChunkRun } from '../platform/xet/chunk-runs.ts';
import type { ChunkThreads } from '../platform/xet/chunk-threads.ts';
import { readShard, type Shard, type ShardFile } from '../platform/xet/shard.ts';
import type { CallerNow, XetCaller } from './access.ts';
import { orRefuse, tooLarge } from './faults.ts';
import { checkFile, unknownChunks } from './file-check.ts';
import { HOLD_MS } from './hold.ts';
import { filesOf } from './reading/reconstructions.ts';
import { markReferenced } from './store.ts';
import { createStoredXorbs, type StoredXorbs } from './stored-xorbs.ts';

/** The number of shards of one user that are worked on at once; further ones wait. */
const MAX_AT_ONCE = 2;
/** Files are passed on in pieces of this size, so that hashing one does not keep others waiting. */
const PIECE_BYTES = 128 * 1024;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly largeFiles: Pick<LargeFiles, 'extendHold' | 'find' | 'maxBytes' | 'readHeld' | 'receive' | 'requireRoom'>;
  readonly threads: ChunkThreads;
  /** Called with the size of each file that is made. */
  readonly onFile: (bytes: number) => void;
}

/** The progress of a shard, as the protocol calls it. */
export type Progress =
  | { readonly type: 'validating'; readonly verified: number; readonly total: number }
  | { readonly type: 'committing'; readonly stage: 'uploading' | 'syncing' };

interface SentShard {
  readonly bytes: Buffer;
  readonly callerNow: CallerNow;
  readonly onProgress: (progress: Progress) => void;
}

interface FileToMake {
  readonly file: ShardFile;
  readonly size: number;
}

/** Returns the chunks of a file, as they are stored. */
async function* runsOf(file: ShardFile, xorbs: StoredXorbs): AsyncGenerator<ChunkRun, void> {
  for (let at = 0; at < file.termCount; at++) {
    const { xorb, start, end } = file.term(at);
    yield* xorbs.chunks(xorb, start, end);
  }
}

/** The verb that makes files of chunks that were uploaded before. */
export function createShards({ database, clock, largeFiles, threads, onFile }: Dependencies) {
  const { read } = database;
  const openXorbs = createStoredXorbs({ read, largeFiles });
  const inTurn = createKeyedSemaphore({ atOnce: MAX_AT_ONCE });

  async function* contentOf(file: ShardFile, xorbs: StoredXorbs, userId: string): Bytes {
    for await (const raw of readAhead(runsOf(file, xorbs), (run) => threads.raw(userId, run), 1))
      for (let from = 0; from < raw.length; from += PIECE_BYTES) yield raw.subarray(from, from + PIECE_BYTES);
  }

  async function check({ files, newXorbs }: Shard, xorbs: StoredXorbs, onProgress: SentShard['onProgress']) {
    for (const hash of newXorbs) if (!xorbs.wasUploaded(hash)) throw unknownChunks(hash);
    const checked: FileToMake[] = [];
    for (const file of files) {
      onProgress({ type: 'validating', verified: checked.length, total: files.length });
      const size = await checkFile(file, xorbs.index);
      if (size > largeFiles.maxBytes) throw tooLarge('A file', largeFiles.maxBytes);
      checked.push({ file, size });
    }
    return checked;
  }

  /** Returns the files that the repository does not have yet, each once. Throws 413 if there is no room for them. */
  async function missingOf(checked: readonly FileToMake[], { repo }: XetCaller): Promise<FileToMake[]> {
    const bySha256 = new Map(checked.map((each) => [each.file.sha256, each]));
    const known = await largeFiles.find(read, repo.id, [...bySha256.keys()]);
    const missing = [...bySha256.values()].filter(({ file }) => !known.has(file.sha256));
    await largeFiles.requireRoom(
      read,
      repo,
      missing.reduce((sum, { size }) => sum + size, 0),
    );
    return missing;
  }

  async function accept({ bytes, callerNow, onProgress }: SentShard): Promise<void> {
    const { repo } = await callerNow();
    const shard = await readShard(bytes);
    const xorbs = await openXorbs(repo, filesOf(repo.id, clock.now()), [...shard.xorbs]);
    const checked = await check(shard, xorbs, onProgress);
    for (const { file, size } of await missingOf(checked, await callerNow())) {
      onProgress({ type: 'committing', stage: 'uploading' });
      const { caller } = await callerNow();
      const { userId } = caller.principal;
      await largeFiles.receive({ repoId: repo.id, userId, sha256: file.sha256, size }, contentOf(file, xorbs, userId));
      onFile(size);
    }
    onProgress({ type: 'committing', stage: 'syncing' });
    const now = clock.now();
    await database.transaction(async (tx) => {
      await markReferenced(tx, repo.owner_id, xorbs.hashes(), now);
      await largeFiles.extendHold(tx, xorbs.blobs(), now + HOLD_MS);
    });
  }

  return {
    /**
     * Makes the files of a shard; the repository of the caller then has them. Throws 400 if something that the shard says
     * is wrong; files before that stay.
     */
    acceptShard: (userId: string, sent: SentShard): Promise<void> => inTurn(userId, () => orRefuse(accept(sent))),
  };
}
