import { lockAccount } from '../../accounts/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { HubError } from '../../platform/http/errors.ts';
import type { Repository } from '../../repositories/index.ts';
import { bytesOfOwner } from './grant-store.ts';

const GIBIBYTE = 1024 ** 3;

export interface Quotas {
  /** Quotas in GiB; undefined means unlimited. */
  readonly quotaOfUsers: number | undefined;
  readonly quotaOfOrganizations: number | undefined;
}

/** Throws 413 if the additional bytes would exceed the quota of the repository's owner. */
export async function requireRoom(
  executor: ReadExecutor,
  { quotaOfUsers, quotaOfOrganizations }: Quotas,
  repo: Pick<Repository, 'owner_id' | 'ownerKind' | 'ownerName'>,
  bytes: number,
): Promise<void> {
  const gibibytes = repo.ownerKind === 'user' ? quotaOfUsers : quotaOfOrganizations;
  if (gibibytes === undefined || bytes === 0) return;
  const used = await bytesOfOwner(executor, repo.owner_id);
  if (used + bytes > gibibytes * GIBIBYTE)
    throw new HubError(
      413,
      `${repo.ownerName} may have ${gibibytes} GiB of large files: ${inGibibytes(used)} GiB are used, and this upload would add ${inGibibytes(bytes)} GiB more`,
    );
}

/**
 * Checks the quota under a lock on the account, so that concurrent uploads cannot exceed it together. `added` returns the
 * additional bytes once the lock is held: another upload may have brought the same file.
 */
export async function claimRoom(
  tx: Executor,
  quotas: Quotas,
  repo: Pick<Repository, 'owner_id' | 'ownerKind' | 'ownerName'>,
  added: () => Promise<number>,
): Promise<void> {
  if ((repo.ownerKind === 'user' ? quotas.quotaOfUsers : quotas.quotaOfOrganizations) === undefined) return;
  await lockAccount(tx, repo.owner_id);
  await requireRoom(tx, quotas, repo, await added());
}

const inGibibytes = (bytes: number): string => (bytes / GIBIBYTE).toFixed(2);
