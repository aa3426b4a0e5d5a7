import { sql } from 'kysely';
import { among } from '../platform/database/among.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountRow, AuditEventRow } from '../platform/database/tables.ts';
import { type Executor, forUpdateOf } from '../platform/database/transaction.ts';
import type { AuditQuery } from './query.ts';

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

const movedChain = prepared<Link & { orgId: string }>()((tx, argument) =>
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

const insertEvent = prepared<AuditEventRow>()((tx, argument) =>
  tx
    .insertInto('audit_events')
    .values(Object.fromEntries(COLUMNS.map((column) => [column, argument(column)])) as unknown as AuditEventRow),
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

/** The events of a part of the log that fit, newest first: those from `from` up to below `below`, `limit` at the most. */
export function eventsBetween(
  executor: Executor,
  orgId: string,
  { author, ip, type }: AuditQuery,
  { from, below, limit }: { from: number; below: number; limit: number },
): Promise<StoredEvent[]> {
  let query = executor
    .selectFrom('audit_events')
    .select(['seq', 'author_id', 'token_id', 'body', 'context', 'prev_hash', 'hash'])
    .where('org_id', '=', orgId)
    .where('seq', '>=', from)
    .where('seq', '<', below);
  if (author.is.length > 0) query = query.where(among(executor, 'author_key', author.is));
  if (ip.is.length > 0) query = query.where(among(executor, 'ip', ip.is));
  if (type.is.length > 0) query = query.where(among(executor, 'type', type.is));
  if (author.not.length > 0) query = query.where(sql<boolean>`not ${among(executor, 'author_key', author.not)}`);
  if (type.not.length > 0) query = query.where(sql<boolean>`not ${among(executor, 'type', type.not)}`);
  if (ip.not.length > 0) query = query.where(sql<boolean>`(ip is null or not ${among(executor, 'ip', ip.not)})`);
  return query.orderBy('seq', 'desc').limit(limit).execute();
}

/** The last event of a chain; undefined where nothing is recorded. */
export const chainEnd = (executor: Executor, orgId: string): Promise<Link | undefined> =>
  executor.selectFrom('audit_chains').select(['seq', 'hash']).where('org_id', '=', orgId).executeTakeFirst();

/** The first event of a chain. */
export const chainStart = (executor: Executor, orgId: string): Promise<Link | undefined> =>
  executor
    .selectFrom('audit_events')
    .select(['seq', 'hash'])
    .where('org_id', '=', orgId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();

/** Of the given accounts those that are still there. */
export const accountsAmong = (
  executor: Executor,
  ids: readonly string[],
): Promise<Pick<AccountRow, 'id' | 'avatar_url'>[]> =>
  executor
    .selectFrom('accounts')
    .select(['id', 'avatar_url'])
    .where(among(executor, 'id', ids))
    .execute();

/** Of the given access tokens those that are still there. */
export const tokensAmong = (executor: Executor, ids: readonly string[]): Promise<{ id: string }[]> =>
  executor
    .selectFrom('tokens')
    .select('id')
    .where(among(executor, 'id', ids))
    .execute();
