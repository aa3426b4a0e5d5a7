import type { AuditLog } from '../audit-log/index.ts';
import type { DropLargeFiles, LargeFiles } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import type { Signer } from '../platform/secrets.ts';
import { createAddresses } from './addresses.ts';
import { createBatch } from './batch.ts';
import { createFiles, type FilesOfBucket } from './files.ts';
import { createLocks } from './locks.ts';
import { createTransfers } from './transfers.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditLog;
  /** Signs the URLs of files. */
  readonly signer: Signer;
  readonly largeFiles: LargeFiles;
  readonly dropLargeFiles: DropLargeFiles;
  readonly filesOfBucket: FilesOfBucket;
  readonly partsFromBytes?: number | undefined;
  /** Whether files can be downloaded through Xet. */
  readonly isXetRead: boolean;
}

export type Lfs = ReturnType<typeof createLfs>;

/** Assembles the verbs of git LFS, locks included, and those on large files. */
export function createLfs({
  database,
  clock,
  ids,
  audit,
  signer,
  largeFiles,
  dropLargeFiles,
  filesOfBucket,
  partsFromBytes,
  isXetRead,
}: Dependencies) {
  const addresses = createAddresses({ signer, clock });
  return {
    ...createBatch({ database, largeFiles, addresses, partsFromBytes, isXetRead }),
    ...createTransfers({ database, largeFiles, addresses }),
    ...createFiles({ database, largeFiles, dropLargeFiles, audit, filesOfBucket }),
    ...createLocks({ database, clock, ids }),
  };
}
