import type { Database } from '../../database/transaction.ts';
import type { Logger } from '../../logger.ts';
import type { SetAside } from '../dead-letters.ts';
import { deleteProcess } from './process-store.ts';
import { countDeathsOfGone, deadlySuspects, deleteSuspect } from './suspect-store.ts';

const DIED = 'The process of the hub ended each time while it had this in hand';

/**
 * Deletes the rows of dead processes, counts a death for items that they had in hand alone, and makes suspects of items
 * that they had in hand together. Returns whether there were any.
 */
export const countDeaths = (database: Database, dead: readonly { id: string; seenAt: number }[]): Promise<boolean> =>
  database.transaction(async (tx) => {
    let hasChanged = false;
    for (const { id, seenAt } of dead) if (await deleteProcess(tx, id, seenAt)) hasChanged = true;
    if (hasChanged) await countDeathsOfGone(tx);
    return hasChanged;
  });

/** Sets aside items with too many deaths. An item that cannot be set aside stays a suspect, and prevents no start. */
export async function setAsideDeadly(database: Database, setAside: SetAside, logger: Logger): Promise<void> {
  for (const { queue, item_id, deaths } of await deadlySuspects(database.read))
    await database
      .transaction(async (tx) => {
        if (await deleteSuspect(tx, queue, item_id))
          await setAside(tx, queue, item_id, { error: DIED, failures: 0, deaths });
      })
      .catch((err: unknown) => logger.error({ err, queue, itemId: item_id }, 'a suspect could not be set aside'));
}
