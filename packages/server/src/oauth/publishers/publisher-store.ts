import { type Expression, sql } from 'kysely';
import { HOLDER_COLUMNS } from '../../accounts/index.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { PublisherRow, PublisherTokenRow } from '../tables.ts';

/**
 * What authentication needs of the token of a publisher, in one read: nothing of one that has expired, or of a disabled
 * user. `cutOffs` is what organizations say of the access token that the publisher stands on.
 */
export const callerByPublisherToken = (cutOffs: Expression<string | null>) =>
  prepared<{ hash: string; now: number }>()((executor, argument) =>
    executor
      .selectFrom('publisher_tokens')
      .innerJoin('tokens', 'tokens.id', 'publisher_tokens.publisher_id')
      .innerJoin('accounts', 'accounts.id', 'tokens.user_id')
      .select([
        ...HOLDER_COLUMNS,
        'tokens.id as id',
        'tokens.last_used_at as lastUsedAt',
        'publisher_tokens.expires_at as expiresAt',
        sql<string | null>`${cutOffs}`.as('cutOffs'),
      ])
      .where('publisher_tokens.hash', '=', argument('hash'))
      .where('publisher_tokens.expires_at', '>', argument('now'))
      .where('accounts.disabled_at', 'is', null),
  );

export async function insertPublisher(tx: Executor, row: PublisherRow): Promise<void> {
  await tx.insertInto('trusted_publishers').values(row).execute();
}

/** Returns the publishers of a user, newest first. */
export const publishersOf = (executor: ReadExecutor, userId: string): Promise<PublisherRow[]> =>
  executor.selectFrom('trusted_publishers').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').execute();

/** Returns a publisher of a user. */
export const findPublisher = (executor: ReadExecutor, userId: string, id: string): Promise<PublisherRow | undefined> =>
  executor
    .selectFrom('trusted_publishers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Returns the publishers of a resource with an issuer, of users who are enabled, oldest first. */
export const publishersFor = (executor: ReadExecutor, resourceId: string, issuer: string): Promise<PublisherRow[]> =>
  executor
    .selectFrom('trusted_publishers')
    .innerJoin('accounts', 'accounts.id', 'trusted_publishers.user_id')
    .selectAll('trusted_publishers')
    .where('trusted_publishers.resource_id', '=', resourceId)
    .where('trusted_publishers.issuer', '=', issuer)
    .where('accounts.disabled_at', 'is', null)
    .orderBy('trusted_publishers.id')
    .execute();

export async function notePublisherUse(tx: Executor, id: string, now: number): Promise<void> {
  await tx.updateTable('trusted_publishers').set({ used_at: now }).where('id', '=', id).execute();
}

export async function insertPublisherToken(tx: Executor, row: PublisherTokenRow): Promise<void> {
  await tx.insertInto('publisher_tokens').values(row).execute();
}

/** Returns where a token of a provider was first exchanged from, undefined for one that never was. */
export async function firstPlaceOf(executor: ReadExecutor, subjectHash: string): Promise<string | undefined> {
  const row = await executor
    .selectFrom('publisher_tokens')
    .select('address_block')
    .where('subject_hash', '=', subjectHash)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return row?.address_block;
}

/** Deletes tokens that nothing needs any more; returns how many, `limit` at most. */
export async function deleteOldPublisherTokens(tx: Executor, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('publisher_tokens')
    .where('hash', 'in', (of) =>
      of.selectFrom('publisher_tokens').select('hash').where('kept_until', '<=', now).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Returns the ids of publishers whose resource is gone. */
export async function publishersOfNothing(executor: ReadExecutor, limit: number): Promise<string[]> {
  const rows = await executor
    .selectFrom('trusted_publishers')
    .leftJoin('repositories', 'repositories.id', 'trusted_publishers.resource_id')
    .leftJoin('accounts', 'accounts.id', 'trusted_publishers.resource_id')
    .select('trusted_publishers.id')
    .where('repositories.id', 'is', null)
    .where('accounts.id', 'is', null)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
