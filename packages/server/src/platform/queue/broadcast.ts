import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from '../database/channel.ts';

/** The ids that a message is about; `all` if it does not say. */
export type ChangedIds = Iterable<string> | 'all';

/** Joins a topic: `onMessage` receives the messages of other processes. Returns the function that sends to them. */
export type JoinTopic = (topic: string, onMessage: (news: ChangedIds) => void) => (news: ChangedIds) => void;

/** The broadcast of a single process, which sends nothing. */
export const noBroadcast: JoinTopic = () => () => {};

export interface Broadcast {
  readonly join: JoinTopic;
  /** Begins to listen and to send. */
  start(): void;
  /** Sends the remaining messages and ends. */
  close(): Promise<void>;
}

interface Dependencies {
  /** Undefined for a single process. */
  readonly open?: ((listener: { onMessage: (text: string) => void; connected: () => void }) => Channel) | undefined;
  /** Returns whether this process seems to do all work itself: then the work comes before the messages about it. */
  readonly isAlone?: (() => boolean) | undefined;
}

/** The interval between two messages, each of which collects everything since the previous one. */
const REST_MS = 5;
/** How long messages wait that probably nobody hears. */
const ALONE_MS = 20;
/** Less than the 8,000 bytes that PostgreSQL accepts. */
const MAX_BYTES = 7_500;
/** The maximum number of ids of one topic in a message; more become `all`. */
const MAX_IDS = 5_000;
const EVERYTHING = '*';

/**
 * Forwards nudges to the other processes of the hub: an optimisation, never a promise. A message has a line for each
 * topic: its name, then ids, or none for all.
 */
export function createBroadcast({ open, isAlone = () => false }: Dependencies): Broadcast {
  const topics = new Map<string, (news: ChangedIds) => void>();
  const waiting = new Map<string, Set<string> | 'all'>();
  let channel: Channel | undefined;
  let flushing: Promise<void> | undefined;
  let closed = false;

  function enqueue(topic: string, news: ChangedIds): void {
    if (!open || closed) return;
    const known = waiting.get(topic) ?? new Set();
    if (news === 'all' || known === 'all') waiting.set(topic, 'all');
    else {
      for (const id of news) known.add(id);
      if (known.size === 0) return;
      waiting.set(topic, known.size > MAX_IDS ? 'all' : known);
    }
    // After the synchronous callers of this turn.
    flushing ??= (isAlone() ? pause(ALONE_MS) : new Promise(setImmediate)).then(flush);
  }

  async function flush(): Promise<void> {
    for (; waiting.size > 0 && channel; await pause(closed ? 0 : REST_MS)) {
      const texts = messagesOf(waiting);
      waiting.clear();
      await channel.send(texts);
    }
    flushing = undefined;
  }

  function wakeAll(): void {
    for (const onMessage of topics.values()) onMessage('all');
  }

  return {
    join(topic, onMessage) {
      topics.set(topic, onMessage);
      return (news) => enqueue(topic, news);
    },

    start() {
      channel ??= open?.({
        onMessage(text) {
          if (text === EVERYTHING) wakeAll();
          for (const line of text.split('\n')) {
            const [topic = '', ...ids] = line.split(' ');
            topics.get(topic)?.(ids.length > 0 ? ids : 'all');
          }
        },
        // Messages sent meanwhile reached nobody.
        connected() {
          wakeAll();
          enqueue(EVERYTHING, 'all');
        },
      });
    },

    async close() {
      closed = true;
      await flushing;
      await channel?.[Symbol.asyncDispose]();
    },
  };
}

/** Returns as few messages as can hold everything. */
function messagesOf(topics: ReadonlyMap<string, Set<string> | 'all'>): string[] {
  if (topics.has(EVERYTHING)) return [EVERYTHING];
  const messages: string[] = [];
  let message = '';
  const add = (text: string, separator: string, topic: string) => {
    if (message.length + text.length + 1 > MAX_BYTES) {
      messages.push(message);
      message = separator === ' ' ? `${topic} ${text}` : text;
    } else message += message === '' ? text : separator + text;
  };
  for (const [topic, ids] of topics) {
    const [first, ...others] = ids === 'all' ? [] : ids;
    add(first === undefined ? topic : `${topic} ${first}`, '\n', topic);
    for (const id of others) add(id, ' ', topic);
  }
  return [...messages, message];
}
