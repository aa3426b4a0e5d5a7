import * as z from 'zod';
import type { Executor } from '../database/transaction.ts';
import { readStored } from '../stored-form.ts';
import type { DueEvent } from './event-store.ts';
import type { byTopic } from './reaction.ts';

/** The progress of the reactions of an event: a cursor each, or true for a finished one. */
const Progress = z.record(z.string(), z.union([z.string(), z.literal(true)]));
export type Progress = z.infer<typeof Progress>;

const eventOf = ({ id, topic, created_at: createdAt, epoch, data: text, trace }: DueEvent) => ({
  ...{ id, topic, createdAt, epoch, text, trace },
});

/**
 * Lets reactions read together what they need of the next events, up to one of another topic, whose reactions may change what was
 * read.
 */
export async function readAhead(
  tx: Executor,
  next: readonly DueEvent[],
  reactions: ReturnType<typeof byTopic>,
): Promise<void> {
  const [first] = next;
  const end = next.findIndex(({ topic }) => topic !== first?.topic);
  const fresh = (end === -1 ? next : next.slice(0, end)).filter(({ progress }) => progress === null);
  if (!first || fresh.length < 2) return;
  for (const each of reactions.get(first.topic) ?? []) await each.readAhead?.(tx, fresh.map(eventOf));
}

/** Runs one page of each unfinished reaction to an event. Returns the remaining work. */
export async function react(
  tx: Executor,
  row: DueEvent,
  reactions: ReturnType<typeof byTopic>,
): Promise<Progress | undefined> {
  const event = eventOf(row);
  const before =
    row.progress === null ? {} : readStored(Progress, JSON.parse(row.progress), 'The progress of an event');
  const progress: Progress = {};
  for (const { pending } of reactions.get(row.topic) ?? [])
    for (const [name, reaction] of pending(event)) {
      const after = before[name];
      progress[name] = after === true || ((await reaction(tx, after)) ?? true);
    }
  return Object.values(progress).every((each) => each === true) ? undefined : progress;
}
