import * as z from 'zod';
import { deleteDecisions, deleteGroupMembers, deleteMemberships, settingsOf } from '../access/index.ts';
import { deleteAccount, lockAccount } from '../accounts/index.ts';
import { deleteCollectionRows } from '../collections/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { recordDeleted } from '../platform/retention/deletion-store.ts';
import { deleteReposOf } from '../repositories/index.ts';
import { purgeTopic } from './events.ts';

/** `deletedAt` distinguishes repeated deletions of the same organization. */
export const purgeTask = defineTask('organizations.purge', z.object({ orgId: z.string(), deletedAt: z.number() }));

/** How long a deleted organization can be restored. */
export const RESTORABLE_MS = 30 * 24 * 60 * 60 * 1000;

/** A repository with branches, discussions and comments may be many rows. */
const REPOS_A_STEP = 25;
const ROWS_A_STEP = 1000;

/** Deletes the rows of slices to the right that belong to an organization. */
export interface OrganizationParts {
  readonly deleteInvitations: (tx: Executor, orgId: string) => Promise<void>;
  /** Deletes at most `limit` rows; returns the number of deleted rows. */
  readonly deleteScimRows: (tx: Executor, orgId: string, limit: number) => Promise<number>;
}

interface Dependencies {
  readonly clock: Clock;
  readonly events: Events;
  readonly parts: OrganizationParts;
}

/**
 * Creates the task that removes a deleted organization in batches, unless it was restored or deleted again in the
 * meantime.
 */
export const createPurge =
  ({ clock, events, parts }: Dependencies): StepOf<typeof purgeTask> =>
  async (tx, task) => {
    const { orgId, deletedAt } = task.data;
    if (!(await lockAccount(tx, orgId)) || (await settingsOf(tx, orgId)).deleted_at !== deletedAt) return 'done';
    const repoIds = await deleteReposOf(tx, orgId, REPOS_A_STEP, clock.now());
    if (repoIds.length > 0) {
      await events.record(tx, purgeTopic, { orgId, repoIds });
      return { data: task.data };
    }
    for (const deleteRows of [deleteCollectionRows, deleteMemberships, deleteGroupMembers, parts.deleteScimRows])
      if ((await deleteRows(tx, orgId, ROWS_A_STEP)) > 0) return { data: task.data };
    await removeOrganization(tx, orgId, parts);
    await recordDeleted(tx, 'organizations', 1, clock.now());
    return 'done';
  };

/** Removes an organization without repositories, with everything that refers to it. */
export async function removeOrganization(
  tx: Executor,
  orgId: string,
  { deleteInvitations }: Pick<OrganizationParts, 'deleteInvitations'>,
): Promise<void> {
  // The lock comes first, so that no concurrent invitation is created.
  await lockAccount(tx, orgId);
  await deleteInvitations(tx, orgId);
  await deleteDecisions(tx, orgId);
  await deleteAccount(tx, orgId);
}
