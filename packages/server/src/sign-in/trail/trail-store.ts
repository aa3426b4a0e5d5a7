import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { SignInEventRow } from '../tables.ts';

export async function insertSignInEvent(tx: Executor, row: SignInEventRow): Promise<void> {
  await tx.insertInto('sign_in_events').values(row).execute();
}

export interface TrailFilter {
  readonly userId?: string | undefined;
  readonly outcome?: SignInEventRow['outcome'] | undefined;
  /** Only entries older than the entry with this id. */
  readonly before?: string | undefined;
}

/** Returns sign-ins, newest first, with the names of users and of the organizations whose provider was used. */
export function signInEvents(executor: ReadExecutor, { userId, outcome, before }: TrailFilter, limit: number) {
  let events = executor
    .selectFrom('sign_in_events as event')
    .leftJoin('accounts as user', 'user.id', 'event.user_id')
    .leftJoin('accounts as organization', 'organization.id', 'event.provider')
    .selectAll('event')
    .select(['user.name as userName', 'organization.name as organizationName'])
    .orderBy('event.id', 'desc')
    .limit(limit);
  if (userId !== undefined) events = events.where('event.user_id', '=', userId);
  if (outcome !== undefined) events = events.where('event.outcome', '=', outcome);
  if (before !== undefined) events = events.where('event.id', '<', before);
  return events.execute();
}

/** Deletes at most `limit` entries from before a time; returns the number of deleted entries. */
export async function deleteOldSignInEvents(tx: Executor, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_events')
    .where('id', 'in', (of) => of.selectFrom('sign_in_events').select('id').where('at', '<', before).limit(limit))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
