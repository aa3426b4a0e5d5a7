import { type RawBuilder, sql } from 'kysely';
import { insertRows } from '../platform/database/bulk.ts';
import { argumentsFor, prepared } from '../platform/database/prepared.ts';
import { type Executor, forUpdateOf, isPostgres, type ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { AuditQuery } from './query.ts';
import { AUDIT_EVENT, type AuditEventRow } from './tables.ts';

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

/** Returns the end of a chain, locked until the end of the transaction; a new chain begins after the given hash. */
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

export async function updateChainEnd(tx: Executor, link: Link & { readonly orgId: string }): Promise<void> {
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

export async function insertEvents(tx: Executor, rows: readonly AuditEventRow[]): Promise<void> {
  const [only] = rows;
  if (only && rows.length === 1) await insertEvent(tx, only);
  else await insertRows(tx, 'audit_events', new Map(Object.entries(AUDIT_EVENT)), rows);
}

export type StoredEvent = Pick<
  AuditEventRow,
  'seq' | 'author_id' | 'token_id' | 'body' | 'context' | 'prev_hash' | 'hash'
>;

/**
 * Returns the matching events in a range of the log, newest first: from `from` to before `below`, at most `limit`. Uses
 * the index of a queried key; SQLite, which underestimates the size of organizations, is forced to do so.
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

/** Returns the last event of a chain; undefined if there is none. */
export const chainEnd = (executor: ReadExecutor, orgId: string): Promise<Link | undefined> =>
  executor.selectFrom('audit_chains').select(['seq', 'hash']).where('org_id', '=', orgId).executeTakeFirst();

/** Returns the first event of a chain. */
export const chainStart = (executor: ReadExecutor, orgId: string): Promise<Link | undefined> =>
  executor
    .selectFrom('audit_events')
    .select(['seq', 'hash'])
    .where('org_id', '=', orgId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
