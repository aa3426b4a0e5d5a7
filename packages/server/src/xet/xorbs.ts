import type { LargeFiles } from '../content/index.ts';
import type { Bytes } from '../platform/blobs/blob-store.ts';
import type { Clock } from '../platform/clock.ts';
import { readAhead } from '../platform/concurrency/read-ahead.ts';
import { createKeyedSemaphore } from '../platform/concurrency/semaphore.ts';
import type { Database } from '../platform/database/transaction.ts';
import { MAX_CHUNKS, MAX_XORB_BYTES } from '../platform/xet/chunk-header.ts';
import { type ChunkRun, chunkRuns, recycle } from '../platform/xet/chunk-runs.ts';
import type { ChunkThreads } from '../platform/xet/chunk-threads.ts';
import { HASH_BYTES, textOfHash } from '../platform/xet/hash-text.ts';
import { createHashTree } from '../platform/xet/hash-tree.ts';
import { XetFault } from '../platform/xet/xet-fault.ts';
import { createIndexWriter, indexBytes } from '../platform/xet/xorb-index.ts';
import { chunksOwnerOf, type XetCaller } from './access.ts';
import { orRefuse, tooLarge } from './faults.ts';
import { HOLD_MS } from './hold.ts';
import { bytesWithoutFile, putXorb } from './store.ts';

/** The number of xorbs that one user can send at once; further ones wait, which bounds the memory of each user. */
const MAX_AT_ONCE = 4;
/** Older clients append a footer of about this size at most. */
const MAX_BODY_BYTES = MAX_XORB_BYTES + 1024 * 1024;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly largeFiles: Pick<LargeFiles, 'hold' | 'requireRoom'>;
  readonly threads: ChunkThreads;
  /** Called with the size of each xorb that is stored. */
  readonly onStored: (bytes: number) => void;
}

interface SentXorb {
  readonly hash: string;
  readonly body: Bytes;
  /** The length of the body as the client announced it. */
  readonly length: number | undefined;
}

/** The verb that receives xorbs. */
export function createXorbs({ database, clock, largeFiles, threads, onStored }: Dependencies) {
  const inTurn = createKeyedSemaphore({ atOnce: MAX_AT_ONCE });

  /** Lends the chunks as they arrive, and then their index. Throws before the index if the hash is another one. */
  async function* checked(
    { hash, body }: SentXorb,
    userId: string,
    index: ReturnType<typeof createIndexWriter>,
  ): Bytes {
    const tree = createHashTree();
    const hashed = (run: ChunkRun) => threads.hashes(userId, run);
    for await (const { run, hashes } of readAhead(chunkRuns(body), hashed, 1)) {
      for (const [at, { rawBytes }] of run.headers.entries())
        tree.add(hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES), rawBytes);
      index.add(run.headers, hashes);
      yield run.bytes;
      recycle(run);
    }
    const root = tree.root();
    if (root === undefined || textOfHash(root) !== hash)
      throw new XetFault('The xorb has another hash than its address');
    yield index.bytes();
  }

  async function store(by: XetCaller, sent: SentXorb, length: number): Promise<void> {
    const { userId } = by.caller.principal;
    const ownerId = chunksOwnerOf(by);
    const index = createIndexWriter();
    const bytes = (await bytesWithoutFile(database.read, ownerId)) + length;
    await largeFiles.requireRoom(database.read, by.repo, bytes, by.proposerId);
    await largeFiles.hold({
      bytes: { lent: checked(sent, userId, index) },
      maxBytes: length + indexBytes(MAX_CHUNKS),
      until: clock.now() + HOLD_MS,
      async onStored(tx, { sha256, size }) {
        await putXorb(tx, { owner_id: ownerId, hash: sent.hash, sha256, size, chunks: index.chunks() });
      },
    });
    onStored(length);
  }

  return {
    /** Receives a xorb. Throws and keeps nothing if its bytes do not match its hash. */
    async receiveXorb(by: XetCaller, sent: SentXorb): Promise<void> {
      const length = sent.length ?? MAX_BODY_BYTES;
      if (length > MAX_BODY_BYTES) throw tooLarge('A xorb', MAX_XORB_BYTES);
      await inTurn(by.caller.principal.userId, () => orRefuse(store(by, sent, length)));
    },
  };
}
