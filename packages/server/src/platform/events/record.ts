import type { Clock } from '../clock.ts';
import { afterCommit, type Executor } from '../database/transaction.ts';
import type { Ids } from '../ids.ts';

/** What happened, for whoever reacts to it: the topic decides who does, the data is JSON. */
export interface HubEvent<Data = unknown> {
  readonly id: string;
  readonly topic: string;
  readonly createdAt: number;
  readonly data: Data;
}

export interface Events {
  /** Writes the event in the transaction of its change; the relay is nudged once that is durable. Answers its id. */
  record(tx: Executor, topic: string, data: unknown): Promise<string>;
  /** Writes an event that nobody reacts to: the sample of a test. */
  recordQuiet(tx: Executor, topic: string, data: unknown): Promise<string>;
}

export function createEvents({ clock, ids, nudge }: { clock: Clock; ids: Ids; nudge: () => void }): Events {
  async function insert(tx: Executor, topic: string, data: unknown, doneAt: number | null): Promise<string> {
    const id = ids();
    const now = clock.now();
    await tx
      .insertInto('events')
      .values({
        id,
        topic,
        created_at: now,
        data: JSON.stringify(data),
        due_at: now,
        lease: null,
        attempts: 0,
        done_at: doneAt,
        progress: null,
      })
      .execute();
    return id;
  }
  return {
    async record(tx, topic, data) {
      const id = await insert(tx, topic, data, null);
      afterCommit(tx, nudge);
      return id;
    },
    recordQuiet: (tx, topic, data) => insert(tx, topic, data, clock.now()),
  };
}
