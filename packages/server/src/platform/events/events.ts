import type { Clock } from '../clock.ts';
import { prepared } from '../database/prepared.ts';
import { afterCommit, type Executor } from '../database/transaction.ts';
import type { Ids } from '../ids.ts';
import { currentEpoch } from './epoch.ts';
import type { Topic } from './topic.ts';

/** What happened, for whoever reacts to it: the topic decides who does, and what the data is. */
export interface HubEvent<Data = unknown> {
  readonly id: string;
  readonly topic: string;
  readonly createdAt: number;
  /** Orders it against changes that decide what follows from it. */
  readonly epoch: number;
  readonly data: Data;
}

export interface Events {
  /** Writes the event in the transaction of its change; the relay is nudged once that is durable. Returns its id. */
  record<Data>(tx: Executor, topic: Topic<Data>, data: NoInfer<Data>): Promise<string>;
  /** Writes an event that nobody reacts to: the sample of a test. */
  recordQuiet<Data>(tx: Executor, topic: Topic<Data>, data: NoInfer<Data>): Promise<string>;
}

const insertEvent = prepared<{
  id: string;
  topic: string;
  now: number;
  data: string;
  doneAt: number | null;
  trace: string | null;
}>()((tx: Executor, argument) =>
  tx.insertInto('events').values({
    id: argument('id'),
    topic: argument('topic'),
    created_at: argument('now'),
    data: argument('data'),
    due_at: argument('now'),
    attempts: 0,
    done_at: argument('doneAt'),
    progress: null,
    trace: argument('trace'),
    epoch: currentEpoch,
  }),
);

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly nudge: () => void;
  /** What goes on now, as `traceparent`, for what follows from it. */
  readonly trace?: (() => string | undefined) | undefined;
}

export function createEvents({ clock, ids, nudge, trace = () => undefined }: Dependencies): Events {
  async function insert(tx: Executor, topic: string, data: string, doneAt: number | null): Promise<string> {
    const id = ids();
    await insertEvent(tx, { id, topic, now: clock.now(), data, doneAt, trace: trace() ?? null });
    return id;
  }
  return {
    async record(tx, topic, data) {
      const id = await insert(tx, topic.name, topic.write(data), null);
      afterCommit(tx, nudge);
      return id;
    },
    recordQuiet: (tx, topic, data) => insert(tx, topic.name, topic.write(data), clock.now()),
  };
}
