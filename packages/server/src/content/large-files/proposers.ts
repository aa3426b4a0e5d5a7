import type { Permission } from '@moonbase/contract/route';
import { requireRepo } from '../../access/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import { type Repository, repoFacts } from '../../repositories/index.ts';

/** A user who may only propose files, and for whose quota they count; null: they count for the owner of the repository. */
export type ProposerId = string | null;

/** Returns for whose quota a file counts that a user uploads with a permission. */
export async function proposerIn(
  executor: ReadExecutor,
  principal: Principal,
  repo: Repository,
  permission: Permission,
): Promise<ProposerId> {
  if (permission === 'repo.write') return null;
  try {
    await requireRepo(executor, principal, repoFacts(repo), 'repo.write');
    return null;
  } catch (error) {
    if (error instanceof HubError) return principal.userId;
    throw error;
  }
}
