import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { findBucket, insertBucket, markBucket } from './bucket-store.ts';
import type { PackBucket } from './pack-bucket.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly bucket: Pick<PackBucket, 'owner' | 'setOwner'>;
}

const FOREIGN =
  'The bucket has the git objects of another hub. Choose another bucket, or run "moonbase git-to-bucket --take-over" if that hub is gone: what only it needs is then deleted.';
const OTHER_BUCKET =
  'This is not the bucket that has the git objects of this hub: MOONBASE_S3_BUCKET or MOONBASE_S3_ENDPOINT has changed.';

export type Ownership = ReturnType<typeof createOwnership>;

/**
 * The bond between a database and its bucket. Both have the same random text, so that no hub deletes what another one has
 * in a bucket: a hub that was restored from a backup is another one.
 */
export function createOwnership({ database, clock, bucket }: Dependencies) {
  async function requireOwner(owner: string): Promise<void> {
    const found = await bucket.owner();
    if (found !== owner) throw new Error(found === undefined ? OTHER_BUCKET : FOREIGN);
  }

  /** Gives the bucket the owner that the database has. Throws if it belongs to another hub. */
  async function reserve({ takeOver = false } = {}): Promise<void> {
    const known = await findBucket(database.read);
    const { owner } = known ?? (await database.transaction((tx) => insertBucket(tx, randomBytes(16).toString('hex'))));
    const found = await bucket.owner();
    if (found === owner) return;
    if (found !== undefined && !takeOver) throw new Error(FOREIGN);
    await bucket.setOwner(owner);
  }

  /** Makes the bucket the place of git objects. */
  const complete = (): Promise<void> => database.transaction((tx) => markBucket(tx, clock.now()));

  return {
    reserve,
    complete,

    /** Makes the bucket that of a hub without git objects. Throws if it belongs to another hub. */
    async claim(): Promise<void> {
      await reserve();
      await complete();
    },

    /** Throws unless the bucket belongs to this hub. */
    async verify(): Promise<void> {
      const known = await findBucket(database.read);
      if (known) await requireOwner(known.owner);
    },
  };
}
