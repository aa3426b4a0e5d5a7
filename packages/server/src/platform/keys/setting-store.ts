import type { Executor, ReadExecutor } from '../database/transaction.ts';

/** Sets a setting unless it exists. */
export async function insertSetting(tx: Executor, name: string, value: string): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

export async function updateSetting(tx: Executor, name: string, value: string): Promise<void> {
  await tx.updateTable('settings').set({ value }).where('name', '=', name).execute();
}

export async function deleteSetting(tx: Executor, name: string): Promise<void> {
  await tx.deleteFrom('settings').where('name', '=', name).execute();
}

export async function settingOf(executor: ReadExecutor, name: string): Promise<string | undefined> {
  const row = await executor.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}
