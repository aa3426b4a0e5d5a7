import type { LargeFiles } from '../../content/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { mapCooperatively } from '../../platform/cooperative.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { type Answer, rawAnswer } from '../../platform/http/answer.ts';
import type { ReadingCaller } from '../../platform/http/authenticate.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Signer } from '../../platform/secrets.ts';
import { findRepoById, type Repository } from '../../repositories/index.ts';
import type { Access, TokenUse, XetCaller } from '../access.ts';
import { createChunkQueries } from './chunk-queries.ts';
import { createFileChanges } from './file-changes.ts';
import { createRangeUrls } from './range-urls.ts';
import { createReconstructions } from './reconstructions.ts';
import { createXorbRanges } from './xorb-ranges.ts';

interface Dependencies {
  readonly database: Pick<Database, 'read'>;
  readonly clock: Clock;
  readonly largeFiles: Pick<LargeFiles, 'readHeld' | 'requireSigned'>;
  readonly signer: Signer;
  readonly access: Access;
  /** Whether files can be downloaded through Xet. */
  readonly isOn: boolean;
}

/** Assembles the verbs that tell of the chunks of files, and serve them. */
export function createReading({ database, clock, largeFiles, signer, access, isOn }: Dependencies) {
  const { read } = database;
  const urls = createRangeUrls({ signer, clock });
  const reconstruct = createReconstructions({ read, clock, largeFiles, urls });
  const findChunk = createChunkQueries({ read, clock, largeFiles });
  const planChanges = createFileChanges({ read, clock, largeFiles });
  const serveRange = createXorbRanges({ read, largeFiles, urls });

  /** Throws 404 if the files of a repository are sent without Xet; clients read those of buckets in no other way. */
  function requireReading(repo: Pick<Repository, 'type'> | undefined): void {
    if (!isOn && repo?.type !== 'bucket') throw notFound('This hub sends files without Xet');
  }

  /** Returns who may read a repository whose files are sent through Xet. */
  async function readerOf(use: TokenUse): Promise<XetCaller<ReadingCaller>> {
    const by = await access.readerWith(use);
    requireReading(by.repo);
    return by;
  }

  return {
    /** Returns the xorbs of a file that has a chunk, as a shard for a client that uploads. */
    async findChunk(use: TokenUse, hash: string): Promise<Answer<never>> {
      const by = await access.readingWriterWith(use);
      requireReading(by.repo);
      const shard = await findChunk(by, hash);
      return rawAnswer(shard, { headers: { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' } });
    },

    /** Tells of which chunks a file, or a range of it, consists. */
    async reconstruct(use: TokenUse, hash: string, range: string | undefined) {
      return reconstruct(await readerOf(use), hash, range);
    },

    /** Tells of which chunks some files consist. */
    async reconstructAll(use: TokenUse, hashes: readonly string[]) {
      const by = await readerOf(use);
      return mapCooperatively(hashes, async (hash) => ({ hash, ...(await reconstruct(by, hash, undefined)) }));
    },

    /** Tells what a client needs to change ranges of a file. */
    planChanges: async (use: TokenUse, hash: string, ranges: string | undefined) =>
      planChanges(await readerOf(use), hash, ranges),

    /** Serves chunks at a signed URL. */
    async serveRange(address: string, range: string | undefined): Promise<Answer<never>> {
      if (!isOn) requireReading(await findRepoById(read, urls.read(address).repoId));
      return serveRange(address, range);
    },
  };
}
