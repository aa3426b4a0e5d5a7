import { type RawBuilder, sql } from 'kysely';
import { argumentsFor, prepared } from '../platform/database/prepared.ts';
import { type Executor, forUpdateOf, isPostgres, type ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { AuditQuery } from './query.ts';
import type { AuditEventRow } from './tables.ts';

/** The end of a chain. */
export interface Link {
  readonly seq: number;
  readonly hash: string;
}

const lockedChain = prepared<{ orgId: string }>()((tx, argument) =>
  tx
    .selectFrom('audit_chains')
    .select(['seq', 'hash'])
    .where('org_id', '=', argument('orgId'))
    .modifyEnd(forUpdateOf(tx, 'audit_chains')),
);

/** The end of a chain, held until the transaction ends; a new chain begins after the given hash. */
export async function lockChain(tx: Executor, orgId: string, firstHash: string): Promise<Link> {
  const [known] = await lockedChain(tx, { orgId });
  if (known) return known;
  await tx
    .insertInto('audit_chains')
    .values({ org_id: orgId, seq: 0, hash: firstHash })
    .onConflict((conflict) => conflict.column('org_id').doNothing())
    .execute();
  const [made] = await lockedChain(tx, { orgId });
  if (!made) throw new Error('A chain that was just made is gone');
  return made;
}

const movedChain = prepared<Link & { orgId: string }>()((tx: Executor, argument) =>
  tx
    .updateTable('audit_chains')
    .set({ seq: argument('seq'), hash: argument('hash') })
    .where('org_id', '=', argument('orgId')),
);

export async function moveChain(tx: Executor, link: Link & { readonly orgId: string }): Promise<void> {
  await movedChain(tx, link);
}

const COLUMNS = [
  'org_id',
  'seq',
  'id',
  'created_at',
  'type',
  'author_id',
  'author_key',
  'ip',
  'token_id',
  'body',
  'context',
  'prev_hash',
  'hash',
] as const;

const insertEvent = prepared<AuditEventRow>()((tx: Executor, argument) =>
  tx.insertInto('audit_events').values(argumentsFor(COLUMNS, argument)),
);

const ROWS_A_STATEMENT = 200;

export async function insertEvents(tx: Executor, rows: readonly AuditEventRow[]): Promise<void> {
  const [only] = rows;
  if (only && rows.length === 1) return void (await insertEvent(tx, only));
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT)
    await tx
      .insertInto('audit_events')
      .values(rows.slice(from, from + ROWS_A_STATEMENT))
      .execute();
}

export type StoredEvent = Pick<
  AuditEventRow,
  'seq' | 'author_id' | 'token_id' | 'body' | 'context' | 'prev_hash' | 'hash'
>;

/**
 * The events of a part of the log that fit, newest first: those from `from` up to below `below`, `limit` at the most.
 * By the index of a key that is asked for. SQLite, which takes every organization for a small one, would rather look at
 * all events of the part; it is told.
 */
export function eventsBetween(
  executor: ReadExecutor,
  orgId: string,
  { author, ip, type }: AuditQuery,
  { from, below, limit }: { from: number; below: number; limit: number },
): RawBuilder<StoredEvent> {
  const given = [
    ['audit_events_ip', 'ip', ip],
    ['audit_events_author', 'author_key', author],
    ['audit_events_type', 'type', type],
  ] as const;
  const conditions = given.flatMap(([, column, { is, not }]) => [
    ...(is.length > 0 ? [whereIn(executor, column, is)] : []),
    ...(not.length > 0 ? [sql<boolean>`(${sql.ref(column)} is null or not ${whereIn(executor, column, not)})`] : []),
  ]);
  const index = given.find(([, , { is }]) => is.length > 0)?.[0];
  const hint = index === undefined || isPostgres(executor) ? sql`` : sql`indexed by ${sql.ref(index)}`;
  const place = sql<boolean>`org_id = ${orgId} and seq >= ${from} and seq < ${below}`;
  return sql<StoredEvent>`
    select seq, author_id, token_id, body, context, prev_hash, hash from audit_events ${hint}
    where ${sql.join([place, ...conditions], sql` and `)} order by seq desc limit ${limit}`;
}

/** The last event of a chain; undefined where nothing is recorded. */
export const chainEnd = (executor: ReadExecutor, orgId: string): Promise<Link | undefined> =>
  executor.selectFrom('audit_chains').select(['seq', 'hash']).where('org_id', '=', orgId).executeTakeFirst();

/** The first event of a chain. */
export const chainStart = (executor: ReadExecutor, orgId: string): Promise<Link | undefined> =>
  executor
    .selectFrom('audit_events')
    .select(['seq', 'hash'])
    .where('org_id', '=', orgId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();

/** Of the given accounts those that are still there. */
export const accountsAmong = (
  executor: ReadExecutor,
  ids: readonly string[],
): Promise<{ id: string; avatar_url: string | null }[]> =>
  executor
    .selectFrom('accounts')
    .select(['id', 'avatar_url'])
    .where(whereIn(executor, 'id', ids))
    .execute();

/** Of the given access tokens those that are still there. */
export const tokensAmong = (executor: ReadExecutor, ids: readonly string[]): Promise<{ id: string }[]> =>
  executor
    .selectFrom('tokens')
    .select('id')
    .where(whereIn(executor, 'id', ids))
    .execute();
