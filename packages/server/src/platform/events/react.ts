import * as z from 'zod';
import type { Executor } from '../database/transaction.ts';
import { readStored } from '../stored-form.ts';
import type { DueEvent } from './event-store.ts';
import type { byTopic } from './reaction.ts';

/** The progress of the reactions of an event: a cursor each, or true for a finished one. */
const Progress = z.record(z.string(), z.union([z.string(), z.literal(true)]));
export type Progress = z.infer<typeof Progress>;

/** Runs one page of each unfinished reaction to an event. Returns the remaining work. */
export async function react(
  tx: Executor,
  row: DueEvent,
  reactions: ReturnType<typeof byTopic>,
): Promise<Progress | undefined> {
  const { id, topic, created_at: createdAt, epoch, trace } = row;
  const event = { id, topic, createdAt, epoch, text: row.data, trace };
  const before =
    row.progress === null ? {} : readStored(Progress, JSON.parse(row.progress), 'The progress of an event');
  const progress: Progress = {};
  for (const { pending } of reactions.get(topic) ?? [])
    for (const [name, reaction] of pending(event)) {
      const after = before[name];
      progress[name] = after === true || ((await reaction(tx, after)) ?? true);
    }
  return Object.values(progress).every((each) => each === true) ? undefined : progress;
}
