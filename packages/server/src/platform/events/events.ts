import type { Clock } from '../clock.ts';
import { type Executor, onceShown, type ReadExecutor } from '../database/transaction.ts';
import type { Ids } from '../ids.ts';
import { dataOfUnfinishedEvents, insertEvent, insertEvents } from './event-store.ts';
import type { Topic } from './topic.ts';

/** An event: its topic decides which reactions run, and the type of its data. */
export interface HubEvent<Data = unknown> {
  readonly id: string;
  readonly topic: string;
  readonly createdAt: number;
  /** Orders the event relative to changes that decide its effects. */
  readonly epoch: number;
  readonly data: Data;
  /** The data as it is stored. */
  readonly text: string;
  readonly trace: string | null;
}

export interface Events {
  /** Writes the event in the transaction of its change; the relay is nudged as soon as it sees the event. Returns the id. */
  record<Data>(tx: Executor, topic: Topic<Data>, data: NoInfer<Data>): Promise<string>;
  /** Writes many events of a topic, in order, with a few statements. */
  recordAll<Data>(tx: Executor, topic: Topic<Data>, data: readonly NoInfer<Data>[]): Promise<void>;
  /** Writes an event without reactions, such as a sample. */
  recordQuiet<Data>(tx: Executor, topic: Topic<Data>, data: NoInfer<Data>): Promise<string>;
}

/** Returns the data of the events of a topic that the relay has not finished. */
export async function unfinishedEvents<Data>(executor: ReadExecutor, topic: Topic<Data>): Promise<Data[]> {
  return (await dataOfUnfinishedEvents(executor, topic.name)).map(topic.read);
}

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly nudge: () => void;
  /** Returns the current trace as `traceparent`, for the effects of an event. */
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
      onceShown(tx, nudge);
      return id;
    },
    async recordAll(tx, topic, data) {
      if (data.length === 0) return;
      const here = trace() ?? null;
      const all = data.map((each) => ({ id: ids(), topic: topic.name, data: topic.write(each), trace: here }));
      await insertEvents(tx, all, clock.now());
      onceShown(tx, nudge);
    },
    recordQuiet: (tx, topic, data) => insert(tx, topic.name, topic.write(data), clock.now()),
  };
}
