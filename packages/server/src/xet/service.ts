import type { LargeFiles } from '../content/index.ts';
import type { Bytes } from '../platform/blobs/blob-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import { type Answer, rawAnswer } from '../platform/http/answer.ts';
import type { Authenticate, Visitor } from '../platform/http/authenticate.ts';
import type { Logger } from '../platform/logger.ts';
import type { SecretBox, Signer } from '../platform/secrets.ts';
import { createChunkThreads } from '../platform/xet/chunk-threads.ts';
import type { Repository } from '../repositories/index.ts';
import { type CallerNow, createAccess } from './access.ts';
import { progressLines } from './progress.ts';
import { createShardBodies } from './shard-body.ts';
import { createShards } from './shards.ts';
import { createTokens } from './tokens.ts';
import { createXorbs } from './xorbs.ts';

/** Counts bytes: of xorbs that were stored, and of files that were made. */
export type XetBytes = (kind: 'xorbs' | 'files', bytes: number) => void;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Signs tokens. */
  readonly signer: Signer;
  readonly secretBox: SecretBox;
  readonly largeFiles: LargeFiles;
  readonly authenticate: Authenticate;
  readonly commitOf: (repo: Repository, revision: string) => Promise<string>;
  readonly onBytes: XetBytes;
}

/** A request with a Xet token. */
interface Sent {
  readonly visitor: Visitor;
  /** The id of the owner in the address. */
  readonly owner: string;
  readonly authorization: string | undefined;
  readonly body: Bytes;
}

export type Xet = ReturnType<typeof createXet>;

/** Assembles the verbs of Xet. */
export function createXet({
  database,
  clock,
  logger,
  signer,
  secretBox,
  largeFiles,
  onBytes,
  ...others
}: Dependencies) {
  const tokens = createTokens({ signer, secretBox, clock });
  const access = createAccess({ read: database.read, tokens, ...others });
  const threads = createChunkThreads();
  const xorbs = createXorbs({
    ...{ database, clock, largeFiles, threads },
    onStored: (bytes) => onBytes('xorbs', bytes),
  });
  const shards = createShards({
    ...{ database, clock, largeFiles, threads },
    onFile: (bytes) => onBytes('files', bytes),
  });
  const readShardBody = createShardBodies();

  const writerOf = ({ visitor, owner, authorization }: Sent): CallerNow => access.writer(visitor, owner, authorization);

  /** Reads the shard of a caller who may write. */
  async function readShard(sent: Sent) {
    const callerNow = writerOf(sent);
    const { userId } = (await callerNow()).caller.principal;
    return { callerNow, userId, held: await readShardBody(userId, sent.body) };
  }

  return {
    token: (...given: Parameters<typeof access.token>) => access.token(...given),

    async receiveXorb(sent: Sent, hash: string, length: number | undefined): Promise<void> {
      await xorbs.receiveXorb(await writerOf(sent)(), { hash, length, body: sent.body });
    },

    async acceptShard(sent: Sent): Promise<void> {
      const { callerNow, userId, held } = await readShard(sent);
      using shard = held;
      await shards.acceptShard(userId, { bytes: shard.bytes, callerNow, onProgress: () => {} });
    },

    /** Reads the shard, and then answers with the progress of the work on it. */
    async acceptShardWithProgress(sent: Sent): Promise<Answer<never>> {
      const { callerNow, userId, held } = await readShard(sent);
      const lines = progressLines(
        async (onProgress) => {
          using shard = held;
          await shards.acceptShard(userId, { bytes: shard.bytes, callerNow, onProgress });
        },
        (err) => logger.error({ err }, 'a shard could not be accepted'),
      );
      return rawAnswer(lines, { headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' } });
    },

    close: (): Promise<void> => threads.close(),
  };
}
