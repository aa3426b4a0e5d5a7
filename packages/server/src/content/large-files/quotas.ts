import { lockAccountById } from '../../accounts/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { HubError } from '../../platform/http/errors.ts';
import { effectiveQuota } from '../../platform/limits/own-quotas.ts';
import type { Repository } from '../../repositories/index.ts';
import { bytesOfOwner } from './grant-store.ts';

const MEBIBYTE = 1024 ** 2;
const GIBIBYTE = 1024 ** 3;

export interface Quotas {
  /** Quotas in GiB; undefined means unlimited. */
  readonly quotaOfUsers: number | undefined;
  readonly quotaOfOrganizations: number | undefined;
}

type Owned = Pick<Repository, 'owner_id' | 'ownerKind' | 'ownerName' | 'ownerQuota'>;

export const defaultQuota = (quotas: Quotas, kind: Owned['ownerKind']): number | undefined =>
  kind === 'user' ? quotas.quotaOfUsers : quotas.quotaOfOrganizations;

/** Returns the quota of an account in GiB, its own or that of the settings; undefined means unlimited. */
export function quotaOf(
  quotas: Quotas,
  { ownerKind, ownerQuota }: Pick<Owned, 'ownerKind' | 'ownerQuota'>,
): number | undefined {
  if (ownerQuota === null) return defaultQuota(quotas, ownerKind);
  const thousandths = effectiveQuota({ own: ownerQuota, byDefault: undefined });
  return thousandths === undefined ? undefined : thousandths / 1000;
}

/** Throws 413 if the additional bytes would exceed the quota of the repository's owner. */
export async function requireRoom(executor: ReadExecutor, quotas: Quotas, repo: Owned, bytes: number): Promise<void> {
  const gibibytes = quotaOf(quotas, repo);
  if (gibibytes === undefined || bytes === 0) return;
  const used = await bytesOfOwner(executor, repo.owner_id);
  if (used + bytes > gibibytes * GIBIBYTE)
    throw new HubError(
      413,
      `${repo.ownerName} may have ${gibibytes} GiB of large files: ${sizeText(used)} are used, and this upload would add ${sizeText(bytes)} more`,
    );
}

/**
 * Checks the quota under a lock on the account, so that concurrent uploads cannot exceed it together. `added` returns the
 * additional bytes once the lock is held: another upload may have brought the same file.
 */
export async function claimRoom(
  tx: Executor,
  quotas: Quotas,
  repo: Owned,
  added: () => Promise<number>,
): Promise<void> {
  if (quotaOf(quotas, repo) === undefined) return;
  const owner = await lockAccountById(tx, repo.owner_id);
  // A site administrator may have changed the quota before the lock was held.
  const ownerQuota = owner ? owner.storage_quota : repo.ownerQuota;
  await requireRoom(tx, quotas, { ...repo, ownerQuota }, await added());
}

/** Formats a number of bytes in GiB; in MiB or bytes where that would be 0.00. */
function sizeText(bytes: number): string {
  if (bytes >= GIBIBYTE / 100) return `${(bytes / GIBIBYTE).toFixed(2)} GiB`;
  return bytes >= MEBIBYTE / 100 ? `${(bytes / MEBIBYTE).toFixed(2)} MiB` : `${bytes} bytes`;
}
