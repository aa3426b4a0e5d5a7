import { gzipSync } from 'node:zlib';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, type Delivery, getDelivery, listDeliveries } from '@moonbase/client/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAddressGuard } from '../src/platform/outbound/address-guard.ts';
import { createOutbound } from '../src/platform/outbound/outbound.ts';
import { collect, startHub, type TestHub } from './harness.ts';
import { drip, flood, type HostileReceiver, type Manners, says, saysAndEnds, startHostile } from './hostile.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const DEADLINE_MS = 6_000;
/** Idle connections stay until they are counted, however busy the machine is. */
const KEEP_ALIVE_MS = 600_000;
const LATE = 'Timed out after 6 s';
const CUT_SHORT = 'The connection was closed before the answer was complete';
const TOO_LARGE = "The answer's headers are too large";
const INVALID = /^The answer is not valid HTTP: /;
const OK = 'HTTP/1.1 200 OK\r\n';
const WHOLE = `${OK}content-length: 2\r\n\r\nok`;
const redirect = (status: number) => (socket: Parameters<NonNullable<Manners['talk']>>[0]) =>
  void socket.write(`HTTP/1.1 ${status} Moved\r\nlocation: ${innerUrl()}\r\ncontent-length: 0\r\n\r\n`);

/** The behaviour of a receiver, and the expected log: the reason for a missing answer, or its status. */
interface Case extends Manners {
  readonly log: string | RegExp | number;
  readonly scheme?: 'https';
  readonly host?: string;
}

const CASES: Record<string, Case> = {
  'answers with a body that has no end': { talk: flood(`${OK}\r\n`, 'x'), log: 200 },
  'drips its headers': { talk: drip(`${OK}x-drip: `), log: LATE },
  'drips its body': { talk: drip(`${OK}\r\n`), log: LATE },
  'drips its first line': { talk: drip('HTTP/1.1 200 '), log: LATE },
  'answers with a gzip bomb': {
    talk(socket) {
      const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024));
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    },
    log: 200,
  },
  'has 10,000 headers': {
    talk: says(`${OK}${Array.from({ length: 10_000 }, (_, n) => `h${n}: v\r\n`).join('')}\r\n`),
    log: TOO_LARGE,
  },
  'has a header that has no end': { talk: flood(`${OK}x-long: `, 'x'), log: TOO_LARGE },
  'has a header name that has no end': { talk: flood(OK, 'x'), log: TOO_LARGE },
  'has a first line that has no end': { talk: flood('HTTP/1.1 200 ', 'x'), log: 'The answer has no end' },
  'sends nothing but line ends': { talk: flood('', '\r\n'), log: 'The answer has no end' },
  'hints without end (103)': {
    talk: flood('', 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>; a=1\r\n\r\n'.padEnd(64, ' ')),
    log: /has no end|not valid HTTP/,
  },
  'hints a thousand times (103), then answers': {
    talk: says(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)}${WHOLE}`),
    log: 200,
  },
  'hints ten thousand times (103), then answers': {
    talk: says(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_000)}${WHOLE}`),
    log: 'The answer has no end',
  },
  'says Continue (100), which nobody asked for': { talk: says(`HTTP/1.1 100 Continue\r\n\r\n${WHOLE}`), log: INVALID },
  'switches protocols (101)': {
    talk: says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    log: INVALID,
  },
  'hangs up when it is called': { greet: (socket) => void socket.destroy(), log: CUT_SHORT },
  'hangs up before its answer': { talk: saysAndEnds(''), log: CUT_SHORT },
  'resets the connection': { talk: (socket) => void socket.resetAndDestroy(), log: CUT_SHORT },
  'hangs up within the headers': { talk: saysAndEnds(`${OK}content-le`), log: CUT_SHORT },
  'hangs up within the body': { talk: saysAndEnds(`${OK}content-length: 9\r\n\r\nonly`), log: CUT_SHORT },
  'redirects to the inner network (301)': { talk: redirect(301), log: 301 },
  'redirects to the inner network (302)': { talk: redirect(302), log: 302 },
  'redirects to the inner network (307)': { talk: redirect(307), log: 307 },
  'redirects to the inner network (308)': { talk: redirect(308), log: 308 },
  'answers before it has read anything': {
    greet(socket) {
      socket.pause();
      socket.write(WHOLE);
    },
    log: 200,
  },
  'is no web server': { talk: says('220 mail.example ESMTP\r\n'), log: INVALID },
  'answers noise': { talk: says('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x00'), log: INVALID },
  'speaks HTTP/2': { talk: says('\x00\x00\x00\x04\x00\x00\x00\x00\x00'), log: INVALID },
  'answers twice': { talk: says(`${WHOLE}HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n`), log: 200 },
  'answers more than it announced': { talk: says(`${WHOLE}and more and more`), log: 200 },
  'announces two lengths': { talk: says(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`), log: INVALID },
  'announces a negative length': { talk: says(`${OK}content-length: -1\r\n\r\nok`), log: INVALID },
  'announces a length and chunks': {
    talk: says(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
    log: INVALID,
  },
  'cuts its chunks wrongly': { talk: says(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\nok\r\n`), log: INVALID },
  'has a chunk of a size beyond all': {
    talk: says(`${OK}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nok\r\n`),
    log: INVALID,
  },
  'has a chunk extension that has no end': {
    talk: flood(`${OK}transfer-encoding: chunked\r\n\r\n2;x=`, 'x'),
    log: 200,
  },
  'has trailers that have no end': {
    talk: flood(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x-trailer: v\r\n'.padStart(16, 'y')),
    log: TOO_LARGE,
  },
  'has a body where none may be (204)': { talk: says('HTTP/1.1 204 No Content\r\n\r\nsurprise'), log: 204 },
  'closes right after its answer': { talk: saysAndEnds(WHOLE), log: 200 },
  'never answers': { talk() {}, log: LATE },
  'never takes its request off the line': {
    greet(socket) {
      socket.pause();
      // Resuming after the deadline reveals that the other side has closed.
      setTimeout(() => socket.resume(), DEADLINE_MS + 200);
    },
    log: LATE,
  },
  'does not speak TLS though its URL says so': { talk: says(WHOLE), log: /^TLS: /, scheme: 'https' },
  'never ends the TLS handshake': { talk() {}, log: LATE, scheme: 'https' },
  'hangs up within the TLS handshake': { talk: saysAndEnds(''), log: /closed before|^TLS: /, scheme: 'https' },
  'has a name that is never found out': { talk: says(WHOLE), log: LATE, host: 'slow.test' },
  'has a name that leads inside': { talk: says(WHOLE), log: /^Address not allowed: inner\.test /, host: 'inner.test' },
  'has a name that leads inside and outside': { talk: says(WHOLE), log: 200, host: 'mixed.test' },
  'has a name that will lead inside': {
    talk: saysAndEnds(`${OK}connection: close\r\ncontent-length: 0\r\n\r\n`),
    log: 200,
    host: 'rebound.test',
  },
};

/** In this test 127.0.0.1 is the public internet. */
const names: Record<string, string[]> = {
  'inner.test': ['10.0.0.1', 'fd00::1'],
  'mixed.test': ['10.0.0.1', '127.0.0.1', '169.254.169.254'],
  'rebound.test': ['127.0.0.1'],
};
const resolve = (host: string) =>
  host === 'slow.test' && !names[host]
    ? new Promise<never>(() => {})
    : Promise.resolve(
        (names[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }) as const),
      );

let hub: TestHub;
let good: Receiver;
let inner: Receiver;
const innerUrl = () => inner.url;
const receivers = new Map<string, { receiver: HostileReceiver; webhookId: string }>();
let events = 0;

const log = (webhookId: string) => collect(listDeliveries({ ...hub.as('alice'), webhookId }));
async function newest(what: string): Promise<Delivery> {
  const [entry] = await log(receivers.get(what)!.webhookId);
  return entry!;
}
const event = () => {
  events += 1;
  return createRepo({ ...hub.as('alice'), repo: `alice/letters-${events}` });
};
const watch = async (url: string) => {
  const webhook = { url, watched: [{ type: 'user' as const, name: 'alice' }], domains: ['repo' as const] };
  return (await createWebhook({ ...hub.as('alice'), webhook })).webhook.id;
};

beforeAll(async () => {
  const guard = createAddressGuard({ allow: ['127.0.0.1'], allowLoopback: false });
  hub = await startHub(
    {},
    { outbound: createOutbound({ guard, resolve, deadlineMs: DEADLINE_MS, refusalMs: 0, keepAliveMs: KEEP_ALIVE_MS }) },
  );
  await hub.people('alice');
  [good, inner] = await Promise.all([startReceiver(), startReceiver()]);
  for (const [what, manners] of Object.entries(CASES)) {
    const receiver = await startHostile(manners);
    const { scheme = 'http', host = '127.0.0.1' } = manners;
    receivers.set(what, { receiver, webhookId: await watch(`${scheme}://${host}:${receiver.port}/hook`) });
  }
  await watch(good.url);
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  for (const { receiver } of receivers.values()) await receiver[Symbol.asyncDispose]();
  await Promise.all([good[Symbol.asyncDispose](), inner[Symbol.asyncDispose]()]);
});

describe('beside hostile receivers', () => {
  test('a healthy receiver gets its delivery at once', async () => {
    await event();
    let drained = false;
    const draining = hub.drain().then(() => {
      drained = true;
    });
    await expect.poll(() => good.events(), { interval: 5 }).toEqual(['repo/create']);
    expect(drained).toBe(false);
    await draining;
  });

  test.each(Object.entries(CASES))('one that %s costs one attempt', async (what, { log: expected }) => {
    const entry = await newest(what);
    expect(entry.attempts).toBe(1);
    expect(entry.durationMs).toBeLessThan(10_000);
    const delivered = typeof expected === 'number' && expected < 300;
    expect(entry.status).toBe(delivered ? 'delivered' : 'retrying');
    if (!delivered) expect(entry.nextAttemptAt).toBe(new Date(hub.clock.now() + 5_000).toISOString());
    if (typeof expected === 'number') expect(entry.responseStatus).toBe(expected);
    else expect(entry.error).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    expect(entry.error ?? '').not.toMatch(/UND_ERR|ERR_ASSERT|undici/);
    const { webhookId, receiver } = receivers.get(what)!;
    const { deliveryAttempts } = await getDelivery({ ...hub.as('alice'), webhookId, logId: entry.id });
    expect(deliveryAttempts).toHaveLength(1);
    expect(deliveryAttempts[0]?.responseBody?.length ?? 0).toBeLessThanOrEqual(4_096);
    expect(receiver.connections()).toBeLessThanOrEqual(1);
  });

  test('connections stay open only to receivers that responded properly', async () => {
    const open = () => [...receivers].filter(([, { receiver }]) => receiver.open() > 0).map(([what]) => what);
    await expect
      .poll(open)
      .toEqual([
        'answers with a gzip bomb',
        'hints a thousand times (103), then answers',
        'redirects to the inner network (301)',
        'redirects to the inner network (302)',
        'redirects to the inner network (307)',
        'redirects to the inner network (308)',
        'answers before it has read anything',
        'has a name that leads inside and outside',
      ]);
  });

  test('no more is read from them than fits into the buffers of the system', () => {
    for (const [what, { receiver }] of receivers) expect(receiver.sent(), what).toBeLessThan(16 * 1024 * 1024);
  });

  test('no redirect into the internal network was followed', () => {
    expect(inner.received).toEqual([]);
  });

  test('receivers that recover get the next delivery on a new connection, and the missed ones', async () => {
    names['slow.test'] = ['127.0.0.1'];
    names['rebound.test'] = ['10.0.0.1'];
    for (const { receiver } of receivers.values()) receiver.recover();
    hub.clock.advance(6_000);
    await event();
    await hub.drain();
    const statuses: Record<string, (string | undefined)[]> = {};
    for (const [what, { webhookId }] of receivers) {
      statuses[what] = (await log(webhookId)).map(({ status, error }) => error ?? status);
    }
    expect(statuses['never answers']).toEqual(['delivered', 'delivered']);
    expect(statuses['answers twice']).toEqual(['delivered', 'delivered']);
    expect(statuses['has a name that will lead inside']).toEqual([
      'Address not allowed: rebound.test (no public address was found for this name)',
      'delivered',
    ]);
    const unwell = Object.entries(statuses).filter(([, both]) => both.some((status) => status !== 'delivered'));
    expect(unwell.map(([what]) => what)).toEqual([
      'does not speak TLS though its URL says so',
      'never ends the TLS handshake',
      'hangs up within the TLS handshake',
      'has a name that leads inside',
      'has a name that will lead inside',
    ]);
  });
});
