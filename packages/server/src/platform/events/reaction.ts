import type { Executor } from '../database/transaction.ts';
import type { HubEvent } from './events.ts';
import type { Topic } from './topic.ts';

/**
 * What follows from an event. Inserts rows only, may run twice, and does not depend on the order of events. One that
 * has much to do does a page and answers a cursor: it is called again with it, in a later transaction. What it would wait
 * for is got outside of the transaction: it throws `NotAtHand`, and is called again.
 */
export type Reaction<Data> = (
  tx: Executor,
  event: HubEvent<Data>,
  after: string | undefined,
) => Promise<string | undefined>;

/** The cursor of a reaction that finds what is left by the same query again, without one. */
export const AGAIN = 'again';

/** A reaction to an event that was read already. */
type Pending = (tx: Executor, after: string | undefined) => Promise<string | undefined>;

/** The reactions to the events of a topic, by name. */
export interface TopicReactions {
  readonly topic: string;
  readonly names: readonly string[];
  /** Reads an event once for all of its reactions, which are returned in the order in which they run. */
  readonly pending: (event: HubEvent<string>) => readonly [name: string, reaction: Pending][];
}

/** Progress is stored by the names of reactions: they stay as they are. */
export function onTopic<Data>(
  topic: Topic<Data>,
  reactions: Readonly<Record<string, Reaction<NoInfer<Data>>>>,
): TopicReactions {
  return {
    topic: topic.name,
    names: Object.keys(reactions),
    pending(stored) {
      const event = { ...stored, data: topic.read(stored.data) };
      return Object.entries(reactions).map(([name, reaction]) => [name, (tx, after) => reaction(tx, event, after)]);
    },
  };
}

/** Returns the reactions to the events of each topic. Throws where two of a topic have the same name. */
export function byTopic(table: readonly TopicReactions[]): ReadonlyMap<string, readonly TopicReactions[]> {
  const topics = new Map<string, readonly TopicReactions[]>();
  for (const each of table) topics.set(each.topic, [...(topics.get(each.topic) ?? []), each]);
  for (const [topic, all] of topics) {
    const names = all.flatMap((each) => each.names);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) throw new Error(`Two reactions to the topic ${topic} are named ${twice}`);
  }
  return topics;
}
