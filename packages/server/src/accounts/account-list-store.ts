import { type RawBuilder, sql } from 'kysely';
import { contains } from '../platform/database/contains.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { Account } from './store.ts';

/** The maximum number of accounts that are examined for one page, however few of them match. */
const MAX_EXAMINED = 50_000;

interface AccountFilter {
  readonly kind: Account['kind'];
  /** Matches name, full name or e-mail address, ignoring the case of a to z (in PostgreSQL of all letters). */
  readonly search?: string | undefined;
  /** An alternative condition on `accounts` by which a search also matches, such as addresses that others vouch for. */
  readonly orMatches?: RawBuilder<boolean> | undefined;
  readonly before?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** Returns the last account to examine for one page; undefined if all remaining accounts can be examined. */
async function lastExamined(
  executor: ReadExecutor,
  before: string | undefined,
  lookAt: number,
): Promise<string | undefined> {
  let accounts = executor.selectFrom('accounts').select('id').orderBy('id', 'desc').limit(1);
  if (before !== undefined) accounts = accounts.where('id', '<', before);
  return (await accounts.offset(lookAt - 1).executeTakeFirst())?.id;
}

/**
 * Returns a page of the accounts of a kind, newest first, and the id after which the next page begins, if there may be
 * one.
 */
export async function accountPage(
  executor: ReadExecutor,
  { kind, search, orMatches, before, disabled }: AccountFilter,
  limit: number,
  lookAt = MAX_EXAMINED,
): Promise<{ readonly rows: Account[]; readonly next: string | undefined }> {
  const end = await lastExamined(executor, before, lookAt);
  let accounts = executor.selectFrom('accounts').selectAll().where('kind', '=', kind).orderBy('id', 'desc');
  if (before !== undefined) accounts = accounts.where('id', '<', before);
  if (end !== undefined) accounts = accounts.where('id', '>=', end);
  if (disabled !== undefined) accounts = accounts.where('disabled_at', disabled ? 'is not' : 'is', null);
  if (search !== undefined)
    accounts = accounts.where((eb) =>
      eb.or([
        contains(sql`lower(name || ' ' || fullname || ' ' || coalesce(email, ''))`, search.toLowerCase()),
        ...(orMatches ? [orMatches] : []),
      ]),
    );
  const found = await accounts.limit(limit + 1).execute();
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? rows.at(-1)?.id : end };
}

/** Returns when each user last used a token; users who never did are omitted. */
export async function lastUses(executor: ReadExecutor, userIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await executor
    .selectFrom('tokens')
    .select(['user_id as userId', (eb) => eb.fn.max('last_used_at').as('at')])
    .where(whereIn(executor, 'user_id', userIds))
    .where('last_used_at', 'is not', null)
    .groupBy('user_id')
    .execute();
  return new Map(rows.flatMap(({ userId, at }) => (at === null ? [] : [[userId, Number(at)]])));
}
