import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setInterval } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CONNECTION_LIMITS } from '../src/platform/http/server/connection-limits.ts';
import { startHub, type TestHub, tokenOf } from './harness.ts';

const SHORT = { headersMs: 200, requestMs: 400, checkMs: 50 };

function open(hub: TestHub): Socket {
  const { hostname, port } = new URL(hub.url);
  return connect({ host: hostname, port: Number(port) }).on('error', () => {});
}

/** Sends a byte now and then until the connection is closed; returns the received text. */
async function dribble(hub: TestHub, start: string): Promise<string> {
  const socket = open(hub);
  const answer = text(socket);
  socket.write(start);
  for await (const _ of setInterval(20)) {
    if (socket.readyState !== 'open') break;
    socket.write('x');
  }
  return answer;
}

const health = async (hub: TestHub) => (await fetch(`${hub.url}/health`)).status;

const POST = `POST /api/repos/create HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer ${tokenOf('alice')}\r\n`;

describe('a connection', () => {
  test.each([
    ['its request line', 'GET /heal'],
    ['its headers', 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    ['its body', `${POST}Content-Length: 100000\r\n\r\n{`],
    ['its body in chunks', `${POST}Transfer-Encoding: chunked\r\n\r\nfffff\r\n{`],
  ])('that trickles in %s is closed with 408, and others are served meanwhile', async (_, start) => {
    await using hub = await startHub({}, { connectionLimits: SHORT });
    await hub.people('alice');
    let cut = false;
    const slow = dribble(hub, start).finally(() => {
      cut = true;
    });
    let served = 0;
    for (; !cut; served++) expect(await health(hub)).toBe(200);
    expect(await slow).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(await slow).toContain('{"error":"The request was not complete in time"}');
    expect(served).toBeGreaterThan(1);
    expect(await hub.database.read.selectFrom('repositories').select('id').execute()).toEqual([]);
  });

  test('that sends nothing delays nobody, even among 500 such connections, and is closed', async () => {
    await using hub = await startHub({}, { connectionLimits: { ...SHORT, headersMs: 2000, requestMs: 2000 } });
    const idle = Array.from({ length: 500 }, () => open(hub).resume());
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    expect(await health(hub)).toBe(200);
    expect(idle.filter(({ readyState }) => readyState === 'open')).toHaveLength(500);
    await Promise.all(idle.map((socket) => once(socket, 'close')));
    expect(await health(hub)).toBe(200);
  });

  test('above the limit is closed until another one ends', async () => {
    await using hub = await startHub({}, { connectionLimits: { connections: 3 } });
    const held = Array.from({ length: 3 }, () => open(hub).resume());
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    const refused = open(hub).resume();
    await once(refused, 'close');
    held[0]?.destroy();
    await expect.poll(() => health(hub).catch(() => 0)).toBe(200);
    for (const socket of held) socket.destroy();
  });

  test('has generous default timeouts, longer than those of proxies', () => {
    const { headersMs, requestMs, keepAliveMs } = CONNECTION_LIMITS;
    expect(headersMs).toBeLessThan(requestMs);
    // The usual timeouts of nginx and of load balancers are 60 seconds.
    expect(keepAliveMs).toBeGreaterThan(60_000);
  });

  test.each([
    ['a URL', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    [
      'a part of a URL',
      `GET /api/users/${'x'.repeat(2000)}/overview HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      414,
    ],
    ['a header', `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['headers', `GET /health HTTP/1.1\r\nHost: localhost\r\n${'X-A: 0123456789\r\n'.repeat(1500)}\r\n`, 431],
  ])('that sends an endless %s is told so', async (_, request, status) => {
    await using hub = await startHub();
    const socket = open(hub);
    socket.write(request);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});
