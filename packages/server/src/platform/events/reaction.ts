import type { Executor } from '../database/transaction.ts';
import type { HubEvent } from './events.ts';
import type { Topic } from './topic.ts';

/**
 * A reaction to an event. It only inserts rows, may run twice, and does not depend on the order of events. A long reaction
 * processes one page and returns a cursor, with which it is called again in a later transaction. A reaction that would
 * have to wait throws `ValueNotFetched`, and is called again once the missing value was fetched outside the transaction.
 */
export interface Reaction<Data> {
  (tx: Executor, event: HubEvent<Data>, after: string | undefined): Promise<string | undefined>;
  /** Reads in one statement what the reaction needs of several events of a topic, each of which it is called with in `tx`. */
  readonly readAhead?: (tx: Executor, topic: string, events: readonly HubEvent<Data>[]) => Promise<void>;
}

/** The cursor of a reaction that finds its remaining work by repeating the same query. */
export const AGAIN = 'again';

/** A reaction to an event whose data is already parsed. */
type BoundReaction = (tx: Executor, after: string | undefined) => Promise<string | undefined>;

/** An event as it is stored. */
type Unread = Omit<HubEvent, 'data'>;

/** The reactions to the events of a topic, by name. */
export interface TopicReactions {
  readonly topic: string;
  readonly names: readonly string[];
  /** Parses an event once for all of its reactions, and returns them in the order in which they run. */
  readonly pending: (event: Unread) => readonly [name: string, reaction: BoundReaction][];
  /** Lets the reactions read what they need of several events. Events that cannot be parsed are left out. */
  readonly readAhead?: (tx: Executor, events: readonly Unread[]) => Promise<void>;
}

/** Progress is stored by the names of reactions, so names never change. */
export function onTopic<Data>(
  topic: Topic<Data>,
  reactions: Readonly<Record<string, Reaction<NoInfer<Data>>>>,
): TopicReactions {
  return {
    topic: topic.name,
    names: Object.keys(reactions),
    pending(stored) {
      const event = { ...stored, data: topic.read(stored.text) };
      return Object.entries(reactions).map(([name, reaction]) => [name, (tx, after) => reaction(tx, event, after)]);
    },
    async readAhead(tx, stored) {
      const reading = Object.values(reactions).flatMap(({ readAhead }) => readAhead ?? []);
      if (reading.length === 0) return;
      const events = stored.flatMap((each) => {
        try {
          return [{ ...each, data: topic.read(each.text) }];
        } catch {
          return [];
        }
      });
      for (const readAhead of reading) await readAhead(tx, topic.name, events);
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
