import type { LargeFiles } from '../content/index.ts';
import type { Bytes, LentBytes } from '../platform/blobs/blob-store.ts';
import type { Clock } from '../platform/clock.ts';
import { readAhead } from '../platform/concurrency/read-ahead.ts';
import { createKeyedSemaphore } from '../platform/concurrency/semaphore.ts';
import type { Database } from '../platform/database/transaction.ts';
import { type ChunkRun, recycle } from '../platform/xet/chunk-runs.ts';
import type { ChunkThreads } from '../platform/xet/chunk-threads.ts';
import { readShard, type Shard, type ShardFile } from '../platform/xet/shard.ts';
import { XetFault } from '../platform/xet/xet-fault.ts';
import type { Repository } from '../repositories/index.ts';
import { type CallerNow, chunksOwnerOf, type XetCaller } from './access.ts';
import { orRefuse, tooLarge } from './faults.ts';
import { checkFile, unknownChunks } from './file-check.ts';
import { HOLD_MS } from './hold.ts';
import { filesOf } from './reading/reconstructions.ts';
import type { SentFiles } from './sent-files.ts';
import { markReferenced } from './store.ts';
import { createStoredXorbs, type StoredXorbs } from './stored-xorbs.ts';

/** The number of shards of one user that are worked on at once; further ones wait. */
const MAX_AT_ONCE = 2;
/** The number of files of a bucket that are made at once. */
const FILES_AT_ONCE = 4;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly largeFiles: Pick<
    LargeFiles,
    'extendHold' | 'find' | 'lendHeld' | 'maxBytes' | 'readHeld' | 'receive' | 'requireRoom'
  >;
  readonly threads: ChunkThreads;
  readonly sentFiles: SentFiles;
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
  readonly hash: string;
  readonly sha256: string | undefined;
  readonly size: number;
}

interface NamedFile extends FileToMake {
  readonly sha256: string;
}

function requireName(file: FileToMake): NamedFile {
  const { sha256 } = file;
  if (sha256 === undefined) throw new XetFault('A file of the shard has no SHA-256');
  return { ...file, sha256 };
}

type BytesOf = (file: ShardFile, userId: string) => LentBytes;

/** Returns the chunks of a file, as they are stored. */
async function* runsOf(file: ShardFile, xorbs: StoredXorbs): AsyncGenerator<ChunkRun, void> {
  for (let at = 0; at < file.termCount; at++) {
    const { xorb, start, end } = file.term(at);
    yield* xorbs.chunks(xorb, start, end);
  }
}

/** The verb that makes files of chunks that were uploaded before. */
export function createShards({ database, clock, largeFiles, threads, sentFiles, onFile }: Dependencies) {
  const { read } = database;
  const openXorbs = createStoredXorbs({ read, largeFiles });
  const inTurn = createKeyedSemaphore({ atOnce: MAX_AT_ONCE });

  /** Lends the bytes of a file. */
  async function* contentOf(file: ShardFile, xorbs: StoredXorbs, userId: string): Bytes {
    for await (const { run, raw } of readAhead(runsOf(file, xorbs), (run) => threads.raw(userId, run), 1)) {
      yield raw;
      recycle(run);
    }
  }

  async function check({ files, newXorbs }: Shard, xorbs: StoredXorbs, onProgress: SentShard['onProgress']) {
    for (const hash of newXorbs) if (!xorbs.wasUploaded(hash)) throw unknownChunks(hash);
    const checked: FileToMake[] = [];
    for (const file of files) {
      onProgress({ type: 'validating', verified: checked.length, total: files.length });
      const size = await checkFile(file, xorbs.index);
      if (size > largeFiles.maxBytes) throw tooLarge('A file', largeFiles.maxBytes);
      checked.push({ file, hash: file.hash, sha256: file.sha256, size });
    }
    return checked;
  }

  /** Returns the files that the repository does not have yet, each once. */
  async function missingOf(files: readonly NamedFile[], { id }: Repository): Promise<NamedFile[]> {
    const bySha256 = new Map(files.map((file) => [file.sha256, file]));
    const known = await largeFiles.find(read, id, [...bySha256.keys()]);
    return [...bySha256.values()].filter(({ sha256 }) => !known.has(sha256));
  }

  /** Throws 413 if there is no room for the files. */
  const requireRoom = ({ repo, proposerId }: XetCaller, files: readonly FileToMake[]): Promise<void> =>
    largeFiles.requireRoom(
      read,
      repo,
      files.reduce((sum, { size }) => sum + size, 0),
      proposerId,
    );

  /** Makes the files that a repository does not have yet, one after the other. */
  async function makeNamed(checked: readonly FileToMake[], callerNow: CallerNow, bytesOf: BytesOf): Promise<void> {
    const by = await callerNow();
    const { repo } = by;
    const { userId } = by.caller.principal;
    const admit = async () => (await callerNow()).proposerId;
    const missing = await missingOf(checked.map(requireName), repo);
    await requireRoom(by, missing);
    for (const { file, sha256, size } of missing) {
      await largeFiles.receive({ repoId: repo.id, userId, sha256, size }, admit, bytesOf(file, userId));
      onFile(size);
    }
  }

  /** Makes the files that a bucket does not have yet, several at once, since most of them are small. */
  async function makeSent(checked: readonly FileToMake[], callerNow: CallerNow, bytesOf: BytesOf): Promise<void> {
    const first = await callerNow();
    const missing = await sentFiles.missing(first.repo, checked);
    await requireRoom(first, missing);
    for (let at = 0; at < missing.length; at += FILES_AT_ONCE) {
      const by = await callerNow();
      const { userId } = by.caller.principal;
      const making = missing.slice(at, at + FILES_AT_ONCE).map(async (file) => {
        await sentFiles.make({ repoId: by.repo.id, userId }, file, bytesOf(file.file, userId));
        onFile(file.size);
      });
      for (const made of await Promise.allSettled(making)) if (made.status === 'rejected') throw made.reason;
    }
  }

  async function accept({ bytes, callerNow, onProgress }: SentShard): Promise<void> {
    const by = await callerNow();
    const { repo } = by;
    const ownerId = chunksOwnerOf(by);
    const shard = await readShard(bytes);
    const xorbs = await openXorbs(ownerId, filesOf(repo, clock.now()), [...shard.xorbs]);
    // A file without bytes needs nothing before a bucket has it.
    const files = repo.type === 'bucket' ? shard.files.filter(({ termCount }) => termCount > 0) : shard.files;
    const checked = await check({ ...shard, files }, xorbs, onProgress);
    onProgress({ type: 'committing', stage: 'uploading' });
    const make = repo.type === 'bucket' ? makeSent : makeNamed;
    await make(checked, callerNow, (file, userId) => ({ lent: contentOf(file, xorbs, userId) }));
    onProgress({ type: 'committing', stage: 'syncing' });
    const now = clock.now();
    await database.transaction(async (tx) => {
      await markReferenced(tx, ownerId, xorbs.hashes(), now);
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
