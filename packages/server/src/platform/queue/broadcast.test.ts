import { expect, test } from 'vitest';
import { type ChangedIds, createBroadcast } from './broadcast.ts';
import { createSharedNudge } from './nudge.ts';
import { createSignals } from './signals.ts';

type Listener = Parameters<NonNullable<Parameters<typeof createBroadcast>[0]['open']>>[0];

/** Creates processes of one hub, each of which hears what the others send. */
function startPeers(count: number) {
  const listeners: Listener[] = [];
  const messages: string[] = [];
  const peers = Array.from({ length: count }, (_, at) =>
    createBroadcast({
      open(listener) {
        listeners[at] = listener;
        return {
          async send(texts) {
            messages.push(...texts);
            for (const other of listeners) if (other !== listener) for (const text of texts) other.onMessage(text);
          },
          async [Symbol.asyncDispose]() {},
        };
      },
    }),
  );
  return {
    peers,
    messages,
    listeners,
    start: () => {
      for (const peer of peers) peer.start();
    },
    /** Resolves when everything was sent. */
    close: async () => {
      for (const peer of peers) await peer.close();
    },
  };
}

/** Returns a listener that keeps the ids that it hears of, sorted. */
const heardBy = (heard: string[][]) => (news: ChangedIds) =>
  void heard.push(news === 'all' ? ['all'] : [...news].sort());

test('the others hear what one process sends, in one message for everything that is sent at the same time', async () => {
  const { peers, messages, start, close } = startPeers(3);
  const heard: string[][][] = [[], [], []];
  const tells = peers.map(({ join }, at) => join('inboxes', heardBy(heard[at]!)));
  const nudged = peers.map(({ join }) => join('relay', () => {}));
  start();
  tells[0]?.(['b']);
  tells[0]?.(['a', 'b']);
  nudged[0]?.('all');
  nudged[0]?.('all');
  tells[0]?.([]);
  await close();
  expect(messages).toEqual(['inboxes b a\nrelay']);
  expect(heard).toEqual([[], [['a', 'b']], [['a', 'b']]]);
});

test('no message is longer than PostgreSQL allows, and no id gets lost between messages', async () => {
  const { peers, messages, start, close } = startPeers(2);
  const heard: string[][] = [];
  const [one, other] = peers;
  const first = one!.join('first', () => {});
  const second = one!.join('second', () => {});
  other!.join('first', heardBy(heard));
  other!.join('second', heardBy(heard));
  start();
  const ids = Array.from({ length: 1000 }, (_, at) => at.toString(16).padStart(24, '0'));
  first(ids);
  second(ids.slice(0, 300));
  await close();
  expect(messages.length).toBeGreaterThan(3);
  for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(8000);
  expect(heard.flat().sort()).toEqual([...ids, ...ids.slice(0, 300)].sort());
});

test('very many ids are sent as one message that means all ids', async () => {
  const { peers, messages, start, close } = startPeers(1);
  const tell = peers[0]!.join('inboxes', () => {});
  start();
  tell(Array.from({ length: 5001 }, (_, at) => String(at)));
  tell(['one more']);
  await close();
  expect(messages).toEqual(['inboxes']);
});

test('unknown, malformed and repeated messages do no harm', () => {
  const { peers, listeners, start } = startPeers(1);
  const heard: string[][] = [];
  peers[0]!.join('inboxes', heardBy(heard));
  const signals = createSignals(peers[0]!.join, 'streams');
  let woken = 0;
  signals.listen('known', () => {
    woken += 1;
  });
  start();
  const foreign = [
    '',
    '\n\n',
    ' ',
    'unknown',
    'unknown a b',
    '{"json":[1]}',
    '\u0000\ud800',
    'toString a',
    '__proto__',
  ];
  for (const text of foreign) listeners[0]!.onMessage(text);
  expect(heard).toEqual([]);
  for (const text of ['inboxes a', 'inboxes a', 'inboxes  ', 'streams known', 'streams unknown known'])
    listeners[0]!.onMessage(text);
  expect(heard).toEqual([['a'], ['a'], ['', '']]);
  expect(woken).toBe(2);
});

test('a process that connects, for the first time or again, looks at everything and makes the others do so', async () => {
  const { peers, listeners, messages, start, close } = startPeers(2);
  const heard: string[][] = [];
  for (const { join } of peers) join('relay', heardBy(heard));
  start();
  listeners[0]!.connected();
  await close();
  expect(messages).toEqual(['*']);
  expect(heard).toEqual([['all'], ['all']]);
});

test('a shared nudge and shared signals wake their own process at once and the others soon', async () => {
  const { peers, start, close } = startPeers(2);
  const [mine, theirs] = peers.map(({ join }) => createSharedNudge(join, 'relay'));
  const [here, there] = peers.map(({ join }) => createSignals(join, 'inboxes'));
  const woken: string[] = [];
  here!.listen('a', () => woken.push('here'));
  there!.listen('a', () => woken.push('there'));
  there!.listen('b', () => woken.push('never'));
  start();
  mine!();
  mine!.everywhere();
  here!.send(['a']);
  expect(woken).toEqual(['here']);
  const never = new AbortController().signal;
  await mine!.wait(60_000, never);
  await close();
  await theirs!.wait(60_000, never);
  expect(woken).toEqual(['here', 'there']);
});

test('a single process needs no connection', async () => {
  const broadcast = createBroadcast({});
  broadcast.join('relay', () => {})('all');
  broadcast.start();
  await broadcast.close();
});
