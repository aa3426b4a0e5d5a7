import { findAccountById, lockAccountById } from '../../accounts/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { HubError } from '../../platform/http/errors.ts';
import { effectiveQuota } from '../../platform/limits/own-quotas.ts';
import type { Repository } from '../../repositories/index.ts';
import { adoptProposed, bytesOfOwner, bytesProposed, type Proposed } from './grant-store.ts';
import type { ProposerId } from './proposers.ts';
import { repositoryGone } from './refusals.ts';

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

/** The repository that files are for, and for whose quota they count. */
export interface Charged {
  readonly repo: Owned;
  readonly proposerId: ProposerId;
}

/** Returns the account for whose quota files count. */
async function payerOf(executor: ReadExecutor, { repo, proposerId }: Charged): Promise<Owned> {
  if (proposerId === null) return repo;
  const user = await findAccountById(executor, proposerId);
  if (!user) throw repositoryGone();
  return { owner_id: user.id, ownerKind: user.kind, ownerName: user.name, ownerQuota: user.storage_quota };
}

/** Throws 413 if the additional bytes would exceed the quota of the account that they count for. */
export async function requireRoom(
  executor: ReadExecutor,
  quotas: Quotas,
  charged: Charged,
  bytes: number,
): Promise<void> {
  if (bytes > 0) await requireRoomOf(executor, quotas, await payerOf(executor, charged), bytes);
}

async function requireRoomOf(executor: ReadExecutor, quotas: Quotas, repo: Owned, bytes: number): Promise<void> {
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
  charged: Charged,
  added: () => Promise<number>,
): Promise<void> {
  const payer = await payerOf(tx, charged);
  if (quotaOf(quotas, payer) === undefined) return;
  const locked = await lockAccountById(tx, payer.owner_id);
  // A site administrator may have changed the quota before the lock was held.
  const ownerQuota = locked ? locked.storage_quota : payer.ownerQuota;
  await requireRoomOf(tx, quotas, { ...payer, ownerQuota }, await added());
}

/**
 * Lets proposed files count for the owner of the repository, because a writer commits or merges them. Throws 413 if the
 * owner has no room for them.
 */
export async function adopt(
  tx: Executor,
  quotas: Quotas,
  repo: Owned & Pick<Repository, 'id'>,
  proposed: Proposed,
): Promise<void> {
  const bytes = await bytesProposed(tx, repo.id, proposed);
  if (bytes === undefined) return;
  await claimRoom(tx, quotas, { repo, proposerId: null }, async () => bytes);
  await adoptProposed(tx, repo.id, proposed);
}

/** Formats a number of bytes in GiB; in MiB or bytes where that would be 0.00. */
function sizeText(bytes: number): string {
  if (bytes >= GIBIBYTE / 100) return `${(bytes / GIBIBYTE).toFixed(2)} GiB`;
  return bytes >= MEBIBYTE / 100 ? `${(bytes / MEBIBYTE).toFixed(2)} MiB` : `${bytes} bytes`;
}
