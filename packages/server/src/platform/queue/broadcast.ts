import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from '../database/channel.ts';

/** What there is news of; `all`, where it is not said. */
export type News = Iterable<string> | 'all';

/** Joins a topic: `heard` is told what the other processes say about it. Returns how to tell them. */
export type Join = (topic: string, heard: (news: News) => void) => (news: News) => void;

/** Where there is one process. */
export const alone: Join = () => () => {};

export interface Broadcast {
  readonly join: Join;
  /** Begins to listen and to tell. */
  start(): void;
  /** Says what is left to be said, and ends. */
  close(): Promise<void>;
}

interface Dependencies {
  /** Undefined where there is one process. */
  readonly open?: ((listener: { heard: (text: string) => void; connected: () => void }) => Channel) | undefined;
}

/** So long after a message comes the next, with all that was said meanwhile. */
const REST_MS = 5;
/** Less than the 8,000 bytes that PostgreSQL takes. */
const MAX_BYTES = 7_500;
/** Of one topic at once; more become `all`. */
const MAX_IDS = 5_000;
const EVERYTHING = '*';

/**
 * Wakes what waits in the other processes of the hub: an optimisation, never a promise. A message has a line for each
 * topic: its name, then ids, or none for all.
 */
export function createBroadcast({ open }: Dependencies): Broadcast {
  const topics = new Map<string, (news: News) => void>();
  const waiting = new Map<string, Set<string> | 'all'>();
  let channel: Channel | undefined;
  let telling: Promise<void> | undefined;
  let closed = false;

  function tell(topic: string, news: News): void {
    if (!open || closed) return;
    const known = waiting.get(topic) ?? new Set();
    if (news === 'all' || known === 'all') waiting.set(topic, 'all');
    else {
      for (const id of news) known.add(id);
      if (known.size === 0) return;
      waiting.set(topic, known.size > MAX_IDS ? 'all' : known);
    }
    // Once whoever speaks now has said all.
    telling ??= new Promise(setImmediate).then(flush);
  }

  async function flush(): Promise<void> {
    for (; waiting.size > 0 && channel; await pause(closed ? 0 : REST_MS)) {
      const texts = messagesOf(waiting);
      waiting.clear();
      await channel.send(texts);
    }
    telling = undefined;
  }

  function wakeAll(): void {
    for (const heard of topics.values()) heard('all');
  }

  return {
    join(topic, heard) {
      topics.set(topic, heard);
      return (news) => tell(topic, news);
    },

    start() {
      channel ??= open?.({
        heard(text) {
          if (text === EVERYTHING) wakeAll();
          for (const line of text.split('\n')) {
            const [topic = '', ...ids] = line.split(' ');
            topics.get(topic)?.(ids.length > 0 ? ids : 'all');
          }
        },
        // What was said meanwhile was heard by nobody.
        connected() {
          wakeAll();
          tell(EVERYTHING, 'all');
        },
      });
    },

    async close() {
      closed = true;
      await telling;
      await channel?.[Symbol.asyncDispose]();
    },
  };
}

/** As few messages as hold everything. */
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
