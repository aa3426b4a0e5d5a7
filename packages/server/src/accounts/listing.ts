import { type RawBuilder, sql } from 'kysely';
import { contains } from '../platform/database/contains.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { Account } from './store.ts';

/** So many accounts are looked at for a page at the most, however few of them match. */
const LOOK_AT = 50_000;

interface AccountFilter {
  readonly kind: Account['kind'];
  /** In name, full name or e-mail address; either case of a to z, and in PostgreSQL of every letter. */
  readonly search?: string | undefined;
  /** A condition on `accounts` that a search finds by as well: what others say of them. */
  readonly orBy?: RawBuilder<boolean> | undefined;
  readonly before?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** The last account that is looked at for one page, or undefined where all that are left can be. */
async function endOfLook(
  executor: ReadExecutor,
  before: string | undefined,
  lookAt: number,
): Promise<string | undefined> {
  let accounts = executor.selectFrom('accounts').select('id').orderBy('id', 'desc').limit(1);
  if (before !== undefined) accounts = accounts.where('id', '<', before);
  return (await accounts.offset(lookAt - 1).executeTakeFirst())?.id;
}

/** The accounts of a kind, newest first: a page of them, and the id after which the next one begins, if there may be one. */
export async function accountPage(
  executor: ReadExecutor,
  { kind, search, orBy, before, disabled }: AccountFilter,
  limit: number,
  lookAt = LOOK_AT,
): Promise<{ readonly rows: Account[]; readonly next: string | undefined }> {
  const end = await endOfLook(executor, before, lookAt);
  let accounts = executor.selectFrom('accounts').selectAll().where('kind', '=', kind).orderBy('id', 'desc');
  if (before !== undefined) accounts = accounts.where('id', '<', before);
  if (end !== undefined) accounts = accounts.where('id', '>=', end);
  if (disabled !== undefined) accounts = accounts.where('disabled_at', disabled ? 'is not' : 'is', null);
  if (search !== undefined)
    accounts = accounts.where((eb) =>
      eb.or([
        contains(sql`lower(name || ' ' || fullname || ' ' || coalesce(email, ''))`, search.toLowerCase()),
        ...(orBy ? [orBy] : []),
      ]),
    );
  const found = await accounts.limit(limit + 1).execute();
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? rows.at(-1)?.id : end };
}

/** When a token of these users was last in use; users without a token that was are left out. */
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
