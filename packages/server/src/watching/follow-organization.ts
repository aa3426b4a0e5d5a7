import type { Executor } from '../platform/database/transaction.ts';
import { deleteTargets, deleteUnreadable, insertTargets } from './store.ts';

/** Makes users watch an organization. */
export const watchOrganization = (
  tx: Executor,
  userIds: readonly string[],
  orgId: string,
  now: number,
): Promise<void> =>
  insertTargets(
    tx,
    'watches',
    userIds.map((userId) => ({ user_id: userId, target_type: 'org', target_id: orgId, created_at: now })),
  );

/** Ends a user's watch on an organization and on those of its repositories that the user may not read. */
export async function unwatchOrganization(tx: Executor, userId: string, orgId: string): Promise<void> {
  await deleteTargets(tx, 'watches', userId, 'org', [orgId]);
  await deleteUnreadable(tx, { ownerId: orgId }, [userId]);
}
