import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { parseJson } from '../platform/stored-form.ts';
import { recordOf } from '../platform/typed-objects.ts';
import { DECIDING_KEYS, type DecidingKey, effectiveSettings, type StoredSettings } from './policy.ts';
import type { NotificationSettingsRow } from './tables.ts';

export async function findStoredSettings(executor: ReadExecutor, userId: string): Promise<StoredSettings> {
  const row = await executor
    .selectFrom('notification_settings')
    .select('data')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? parseJson<StoredSettings>(row.data) : { notifications: {} };
}

export async function saveStoredSettings(tx: Executor, userId: string, given: StoredSettings): Promise<void> {
  const holds = effectiveSettings(given.notifications);
  const flags = recordOf(DECIDING_KEYS, (key) => (holds[key] ? 1 : 0));
  const values: Omit<NotificationSettingsRow, 'user_id'> = { data: JSON.stringify(given), ...flags };
  await tx
    .insertInto('notification_settings')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** The condition that a user has a notification setting turned on, for use in any query. */
export const notificationsOn = (userId: Expression<string>, key: DecidingKey): RawBuilder<boolean> =>
  sql<boolean>`not exists (
    select 1 from notification_settings s where s.user_id = ${userId} and ${sql.ref(`s.${key}`)} = 0
  )`;

/** A Space among the tools; its name comes from the repository. */
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
      builtInTools: parseJson<string[]>(row.built_in_tools),
      spaceTools: parseJson<StoredSpace[]>(row.space_tools),
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
