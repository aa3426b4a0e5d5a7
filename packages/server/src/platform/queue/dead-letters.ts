import type { Clock } from '../clock.ts';
import type { QueueName, Queues } from '../database/tables.ts';
import type { Executor } from '../database/transaction.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../logger.ts';
import { putDeadLetter } from './dead-letter-store.ts';

/** The numbers of failures, and of deaths of processes that had an item in hand, after which the item is set aside. */
export const MAX_FAILURES = 5;
export const MAX_DEATHS = 3;

/** How a queue sets an item aside, and what can be done with it afterwards. */
export interface DeadLetterQueue<Name extends QueueName = QueueName> {
  /** The table of the items. */
  readonly table: Queues[Name];
  /** Removes the item from the queue; returns a description, undefined if the item no longer exists. */
  setAside(tx: Executor, id: string, cause: Cause): Promise<ItemDescription | undefined>;
  /** Puts the item back as if it had never failed; returns false if the item no longer exists. */
  retry(tx: Executor, id: string): Promise<boolean>;
  /** Discards the item permanently. */
  discard(tx: Executor, id: string): Promise<void>;
}

export type DeadLetterQueues = { readonly [Name in QueueName]: DeadLetterQueue<Name> };

/** Why an item is set aside; `error` is bounded and free of secrets. */
export interface Cause {
  readonly error: string;
  readonly failures: number;
  readonly deaths: number;
}

interface ItemDescription {
  readonly kind: string;
  readonly createdAt: number;
}

/** Sets an item aside, in the transaction that counts its last failure. */
export type SetAside = (tx: Executor, queue: QueueName, id: string, cause: Cause) => Promise<void>;

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly queues: DeadLetterQueues;
}

/** Creates the function that sets items aside. An item that is set aside again keeps its single dead letter. */
export function createSetAside({ clock, ids, logger, queues }: Dependencies): SetAside {
  return async (tx, queue, itemId, { error, failures, deaths }) => {
    const item = await queues[queue].setAside(tx, itemId, { error, failures, deaths });
    if (!item) return;
    const letter = { id: ids(), queue, item_id: itemId, kind: item.kind, created_at: item.createdAt };
    await putDeadLetter(tx, { ...letter, error, failures, deaths, set_aside_at: clock.now() });
    logger.error(
      { queue, itemId, kind: item.kind, error, failures, deaths },
      'an item is set aside: a site administrator has to retry or discard it',
    );
  };
}
