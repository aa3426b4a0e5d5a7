import { BlobError } from '../../platform/blobs/blob-store.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { WarningLogger } from '../../platform/logger.ts';
import { isInBucket, reposWithObjects } from './bucket-store.ts';
import type { Ownership } from './ownership.ts';

const IN_BUCKET = 'The git objects of this hub are in a bucket: set MOONBASE_GIT_STORE=bucket.';
const IN_FOLDER =
  'The git objects of this hub are in its data folder: run "moonbase git-to-bucket" there, or set MOONBASE_GIT_STORE=folder.';

interface Dependencies {
  readonly read: ReadExecutor;
  readonly logger: WarningLogger;
  /** Undefined if the settings name the data folder. */
  readonly ownership: Pick<Ownership, 'claim' | 'verify'> | undefined;
}

/** Throws unless git objects are where the settings say; an empty hub takes the bucket as its own. */
export async function checkGitPlace({ read, logger, ownership }: Dependencies): Promise<void> {
  const isMoved = await isInBucket(read);
  if (!ownership) {
    if (isMoved) throw new Error(IN_BUCKET);
    return;
  }
  if (!isMoved) {
    if ((await reposWithObjects(read, '', 1)).length > 0) throw new Error(IN_FOLDER);
    return ownership.claim();
  }
  try {
    await ownership.verify();
  } catch (error) {
    // Whatever is cached can be read all the same.
    if (!(error instanceof BlobError)) throw error;
    logger.warn({ err: error }, 'the bucket with the git objects cannot be reached');
  }
}
