import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { EnvironmentRow } from './tables.ts';

/** Variables are shown, secrets are not. */
export type EntryKind = 'variable' | 'secret';

const COLUMN = { variable: 'value', secret: 'sealed_value' } as const satisfies Record<EntryKind, keyof EnvironmentRow>;

const entries = (executor: ReadExecutor, spaceId: string, kind: EntryKind) =>
  executor.selectFrom('space_environment').where('space_id', '=', spaceId).where(COLUMN[kind], 'is not', null);

/** Returns the variables or secrets of a Space by key; `value` is null for secrets, and sealed values are not read. */
export const listEntries = (executor: ReadExecutor, spaceId: string, kind: EntryKind) =>
  entries(executor, spaceId, kind).select(['key', 'value', 'description', 'updated_at']).orderBy('key').execute();

/** Returns which keys of a Space are variables, and which are secrets. */
export async function entryKindsOf(executor: ReadExecutor, spaceId: string): Promise<Map<string, EntryKind>> {
  const rows = await executor
    .selectFrom('space_environment')
    .select(['key', 'value'])
    .where('space_id', '=', spaceId)
    .execute();
  return new Map(rows.map(({ key, value }) => [key, value === null ? 'secret' : 'variable']));
}

/** Returns the variable or secret of a key, without its sealed value. */
export const findEntry = (executor: ReadExecutor, spaceId: string, key: string) =>
  executor
    .selectFrom('space_environment')
    .select(['id', 'value', 'description'])
    .where('space_id', '=', spaceId)
    .where('key', '=', key)
    .executeTakeFirst();

export async function countEntries(executor: ReadExecutor, spaceId: string, kind: EntryKind): Promise<number> {
  const { count } = await entries(executor, spaceId, kind)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertEntries(tx: Executor, rows: readonly EnvironmentRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('space_environment').values(rows).execute();
}

export async function updateEntry(tx: Executor, id: string, change: Partial<EnvironmentRow>): Promise<void> {
  await tx.updateTable('space_environment').set(change).where('id', '=', id).execute();
}

/** Deletes a variable or a secret; returns whether there was one of this kind. */
export async function deleteEntry(tx: Executor, spaceId: string, kind: EntryKind, key: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('space_environment')
    .where('space_id', '=', spaceId)
    .where('key', '=', key)
    .where(COLUMN[kind], 'is not', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
