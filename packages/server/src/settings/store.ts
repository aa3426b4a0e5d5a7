import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { DECIDING_KEYS, type DecidingKey, effective, type Given } from './policy.ts';
import type { NotificationSettingsRow } from './tables.ts';

export async function findGiven(executor: ReadExecutor, userId: string): Promise<Given> {
  const row = await executor
    .selectFrom('notification_settings')
    .select('data')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? (JSON.parse(row.data) as Given) : { notifications: {} };
}

export async function saveGiven(tx: Executor, userId: string, given: Given): Promise<void> {
  const holds = effective(given.notifications);
  const flags = Object.fromEntries(DECIDING_KEYS.map((key) => [key, holds[key] ? 1 : 0])) as Record<
    DecidingKey,
    number
  >;
  const values: Omit<NotificationSettingsRow, 'user_id'> = { data: JSON.stringify(given), ...flags };
  await tx
    .insertInto('notification_settings')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** The condition that a user wants what a key is about, to be joined to any query. */
export const notificationsOn = (userId: Expression<string>, key: DecidingKey): RawBuilder<boolean> =>
  sql<boolean>`not exists (
    select 1 from notification_settings s where s.user_id = ${userId} and ${sql.ref(`s.${key}`)} = 0
  )`;

/** A Space among the tools; its name is the repository's. */
export interface StoredSpace {
  readonly id: string;
  readonly emoji: string;
}

export interface StoredTools {
  readonly builtInTools: readonly string[];
  readonly spaceTools: readonly StoredSpace[];
}

export async function findTools(executor: ReadExecutor, userId: string): Promise<StoredTools | undefined> {
  const row = await executor.selectFrom('mcp_settings').selectAll().where('user_id', '=', userId).executeTakeFirst();
  return (
    row && {
      builtInTools: JSON.parse(row.built_in_tools) as string[],
      spaceTools: JSON.parse(row.space_tools) as StoredSpace[],
    }
  );
}

export async function saveTools(tx: Executor, userId: string, tools: StoredTools): Promise<void> {
  const values = {
    built_in_tools: JSON.stringify(tools.builtInTools),
    space_tools: JSON.stringify(tools.spaceTools),
  };
  await tx
    .insertInto('mcp_settings')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}
