import type { Executor } from '../platform/database/transaction.ts';
import { forUpdateOf } from '../platform/database/transaction.ts';
import type { OptionalKind } from './policy.ts';

/** Turns one kind of mail off in the notification settings of a user; nothing where the user is gone. */
export async function turnOff(tx: Executor, userId: string, kind: OptionalKind): Promise<void> {
  const user = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', userId)
    .modifyEnd(forUpdateOf(tx, 'accounts'))
    .executeTakeFirst();
  if (!user) return;
  const row = await tx
    .selectFrom('notification_settings')
    .select('data')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const given = row ? (JSON.parse(row.data) as Record<string, unknown>) : {};
  const change = { data: JSON.stringify({ ...given, [kind]: false }), [kind]: 0 };
  await tx
    .insertInto('notification_settings')
    .values({ user_id: userId, ...change })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute();
}
