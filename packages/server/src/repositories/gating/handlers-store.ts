import type { ReadExecutor } from '../../platform/database/transaction.ts';

/** The admins of an organization who are told of access requests (B§6). */
const MAX_ADMINS = 5;

/** Returns those who are told of requests for a gated repository: its owner, or the first admins of the organization. */
export async function handlersOf(executor: ReadExecutor, repoId: string) {
  const repo = await executor
    .selectFrom('repositories')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select(['repositories.owner_id as ownerId', 'accounts.kind', 'repositories.gated'])
    .select(['repositories.gate_email as email', 'repositories.gate_mails as mails'])
    .where('repositories.id', '=', repoId)
    .executeTakeFirst();
  if (!repo || repo.gated === null) return undefined;
  if (repo.kind === 'user') return { ...repo, userIds: [repo.ownerId] };
  const admins = await executor
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.user_id')
    .select('memberships.user_id as userId')
    .where('memberships.org_id', '=', repo.ownerId)
    .where('memberships.base_role', '=', 'admin')
    .where('accounts.disabled_at', 'is', null)
    .orderBy('memberships.user_id')
    .limit(MAX_ADMINS)
    .execute();
  return { ...repo, userIds: admins.map(({ userId }) => userId) };
}
