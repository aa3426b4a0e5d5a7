import { z } from 'zod';
import { settingsOf } from '../access/index.ts';
import { deleteAccount, lockAccount } from '../accounts/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { purgeTopic } from './events.ts';

/** `deletedAt` tells one deletion of an organization from another. */
export const purgeTask = defineTask('organizations.purge', z.object({ orgId: z.string(), deletedAt: z.number() }));

/** How long a deleted organization can be restored. */
export const RESTORABLE_MS = 30 * 24 * 60 * 60 * 1000;

/** With its branches, discussions and comments, a repository may be many rows. */
const REPOS_A_STEP = 50;
const USERS_A_STEP = 1000;

/** Removes a deleted organization in batches, unless it has been restored, or deleted again, since. */
export const createPurge =
  ({ events }: { readonly events: Events }): StepOf<typeof purgeTask> =>
  async (tx, task) => {
    const { orgId, deletedAt } = task.data;
    if (!(await lockAccount(tx, orgId)) || (await settingsOf(tx, orgId)).deleted_at !== deletedAt) return 'done';
    const repoIds = await removeRepos(tx, orgId);
    if (repoIds.length > 0) await events.record(tx, purgeTopic, { orgId, repoIds });
    if (repoIds.length > 0 || (await removeUsers(tx, 'memberships', orgId))) return { data: task.data };
    if (await removeUsers(tx, 'scim_users', orgId)) return { data: task.data };
    await removeOrganization(tx, orgId);
    return 'done';
  };

/** Removes an organization that has no repositories any more, with what refers to it. */
export async function removeOrganization(tx: Executor, orgId: string): Promise<void> {
  // First, so that nobody is invited meanwhile.
  await lockAccount(tx, orgId);
  await tx.deleteFrom('invitations').where('org_id', '=', orgId).execute();
  await tx.deleteFrom('organization_tokens').where('org_id', '=', orgId).execute();
  await deleteAccount(tx, orgId);
}

/** Returns the ids of those that it removed. */
async function removeRepos(tx: Executor, orgId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('repositories')
    .where('id', 'in', (of) =>
      of.selectFrom('repositories').select('id').where('owner_id', '=', orgId).orderBy('id').limit(REPOS_A_STEP),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

async function removeUsers(tx: Executor, table: 'memberships' | 'scim_users', orgId: string): Promise<boolean> {
  const rows = await tx
    .deleteFrom(table)
    .where('org_id', '=', orgId)
    .where('user_id', 'in', (of) =>
      of.selectFrom(table).select('user_id').where('org_id', '=', orgId).limit(USERS_A_STEP),
    )
    .returning('user_id')
    .execute();
  return rows.length > 0;
}
