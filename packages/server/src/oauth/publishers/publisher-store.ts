import { type Expression, sql } from 'kysely';
import { HOLDER_COLUMNS } from '../../accounts/index.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { PublisherRow, PublisherTokenRow } from '../tables.ts';

/**
 * Prepares the query that authenticates a publisher token in a single read; it returns nothing for an expired token or
 * a disabled user. `cutOffs` is a column that the rules of organizations add.
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

/** Returns the publishers of a resource with an issuer whose users are enabled, oldest first. */
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

export async function recordPublisherUse(tx: Executor, id: string, now: number): Promise<void> {
  await tx.updateTable('trusted_publishers').set({ used_at: now }).where('id', '=', id).execute();
}

export async function insertPublisherToken(tx: Executor, row: PublisherTokenRow): Promise<void> {
  await tx.insertInto('publisher_tokens').values(row).execute();
}

/** Returns the address block that first exchanged a provider's token; undefined if none did. */
export async function firstAddressBlockOf(executor: ReadExecutor, subjectHash: string): Promise<string | undefined> {
  const row = await executor
    .selectFrom('publisher_tokens')
    .select('address_block')
    .where('subject_hash', '=', subjectHash)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return row?.address_block;
}

/** Deletes at most `limit` tokens that are no longer kept; returns the number of deleted tokens. */
export async function deleteOldPublisherTokens(tx: Executor, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('publisher_tokens')
    .where('hash', 'in', (of) =>
      of.selectFrom('publisher_tokens').select('hash').where('kept_until', '<=', now).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Returns the ids of publishers whose resource no longer exists. */
export async function orphanedPublishers(executor: ReadExecutor, limit: number): Promise<string[]> {
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
