import { createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { failure, namesOf, outboundOf, rawReceiverOf, receiverOf, to } from '../../../test/outbound/test-receiver.ts';

const answer = (status: number, body: string) =>
  `HTTP/1.1 ${status} Such\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** A receiver that answers each request with the number of its connection and of the request on it, like `1/2`. */
async function countingReceiver(also: (socket: Socket, request: number) => void = () => {}) {
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const [connection, requests] = [connections, { count: 0 }];
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.on('data', () => {
      requests.count += 1;
      socket.write(answer(200, `${connection}/${requests.count}`));
      also(socket, requests.count);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, open, connections: () => connections };
}

test('a second answer right behind the first is not the answer to the next request', async () => {
  const receiver = await countingReceiver((socket, request) => {
    if (request === 1) socket.write(answer(500, 'smuggled'));
  });
  const outbound = outboundOf();
  for (let connection = 1; connection <= 3; connection += 1) {
    expect(await outbound.post(to(`http://127.0.0.1:${receiver.port}/`))).toMatchObject({ body: `${connection}/1` });
  }
});

test.each([
  ['a second answer', answer(500, 'smuggled')],
  ['half an answer', 'HTTP/1.1 500 Such\r\ncontent-length: 8\r\n'],
  ['a line end', '\r\n'],
])('%s that comes later closes the connection, and is not the answer to the next request', async (_what, stray) => {
  let release = () => {};
  const receiver = await countingReceiver((socket) => {
    release = () => socket.write(stray);
  });
  const outbound = outboundOf();
  expect(await outbound.post(to(`http://127.0.0.1:${receiver.port}/`))).toMatchObject({ body: '1/1' });
  release();
  await expect.poll(() => receiver.open.size, { interval: 5 }).toBe(0);
  expect(await outbound.post(to(`http://127.0.0.1:${receiver.port}/`))).toMatchObject({ status: 200, body: '2/1' });
});

test('a connection that is closed right after an answer does not fail the next request', async () => {
  const receiver = await countingReceiver((socket) => socket.end());
  const outbound = outboundOf();
  for (let connection = 1; connection <= 20; connection += 1) {
    expect(await outbound.post(to(`http://127.0.0.1:${receiver.port}/`))).toMatchObject({ body: `${connection}/1` });
    await expect.poll(() => receiver.open.size, { interval: 1 }).toBe(0);
  }
});

test('an origin has as many connections as requests in flight, and they are used again', async () => {
  const receiver = await countingReceiver();
  const outbound = outboundOf();
  const ten = () =>
    Promise.all(Array.from({ length: 10 }, () => outbound.post(to(`http://127.0.0.1:${receiver.port}/`))));
  for (let round = 1; round <= 3; round += 1) {
    expect((await ten()).every(({ kind }) => kind === 'answered')).toBe(true);
    expect(receiver.connections()).toBe(10);
  }
});

test('the connection that was used last is used first, so that the others can end', async () => {
  const receiver = await countingReceiver();
  const outbound = outboundOf();
  const post = async () => {
    const result = await outbound.post(to(`http://127.0.0.1:${receiver.port}/`));
    return result.kind === 'answered' ? result.body.split('/')[0] : result.error;
  };
  await Promise.all([post(), post(), post()]);
  const one = await post();
  expect([await post(), await post()]).toEqual([one, one]);
});

test('an idle connection is closed two seconds before its receiver would close it', async () => {
  let closed: (afterMs: number) => void = () => {};
  const closing = new Promise<number>((resolve) => {
    closed = resolve;
  });
  const port = await rawReceiverOf((socket) => {
    const answeredAt = performance.now();
    socket.on('close', () => closed(performance.now() - answeredAt));
    socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=3\r\ncontent-length: 0\r\n\r\n');
  });
  await outboundOf().post(to(`http://127.0.0.1:${port}/`));
  expect(await closing).toBeGreaterThan(900);
});

test('at most 256 idle connections are kept over all origins', async () => {
  const receiver = await countingReceiver();
  const hosts = Array.from({ length: 300 }, (_, n) => `h${n}.test`);
  const outbound = outboundOf({ resolve: namesOf(Object.fromEntries(hosts.map((host) => [host, ['127.0.0.1']]))) });
  for (const host of hosts) await outbound.post(to(`http://${host}:${receiver.port}/`));
  expect(receiver.connections()).toBe(300);
  await expect.poll(() => receiver.open.size).toBe(256);
  await outbound[Symbol.asyncDispose]();
  await expect.poll(() => receiver.open.size).toBe(0);
});

test('a connection whose request was not read in full is not used again', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).pause();
    socket.write(answer(200, 'enough'));
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const outbound = outboundOf();
  const long = { ...to(`http://127.0.0.1:${port}/`), body: 'x'.repeat(32 * 1024 * 1024) };
  expect(await outbound.post(long)).toMatchObject({ status: 200, body: 'enough' });
  expect(await outbound.post(to(long.url))).toMatchObject({ status: 200, body: 'enough' });
  expect(connections).toBe(2);
});

test('requests that hang while they connect hold up no others and leave nothing behind', async () => {
  const resources = () => process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout|DNS|GetAddr/.test(name));
  const port = await rawReceiverOf(() => {});
  const good = await receiverOf((_request, response) => void response.end('ok'));
  const resolve = (host: string) =>
    host === 'slow.test'
      ? new Promise<never>(() => {})
      : namesOf({ 'two.test': ['127.0.0.1', '127.0.0.1'], 'good.test': ['127.0.0.1'] })(host);
  const before = resources().length;
  const outbound = outboundOf({ deadlineMs: 3_000, resolve });
  const hanging = ['https://two.test', 'https://127.0.0.1', 'http://127.0.0.1', 'http://slow.test'].flatMap((origin) =>
    Array.from({ length: 5 }, () => outbound.post(to(`${origin}:${port}/`))),
  );
  expect(await outbound.post(to(`http://good.test:${good}/`))).toMatchObject({ status: 200 });
  for (const result of await Promise.all(hanging)) expect(result).toEqual(failure('Timed out after 3 s'));
  await outbound[Symbol.asyncDispose]();
  await expect.poll(() => resources().length).toBeLessThanOrEqual(before);
});

test('a request to a receiver that accepts no more connections fails at its deadline', async () => {
  // The thread of the receiver sleeps, so the system accepts connections on its behalf until the queue is full.
  const sleeper = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000));
     });`,
    { eval: true },
  );
  onTestFinished(async () => void (await sleeper.terminate()));
  const port = await new Promise<number>((resolve) => sleeper.once('message', resolve));
  const outbound = outboundOf({ deadlineMs: 300 });
  const results = await Promise.all(Array.from({ length: 8 }, () => outbound.post(to(`http://127.0.0.1:${port}/`))));
  expect(results).toEqual(results.map(() => failure('Timed out after 0.3 s')));
});
