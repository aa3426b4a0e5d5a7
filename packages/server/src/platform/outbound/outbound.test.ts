import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { failure, namesOf, outboundOf, rawReceiverOf, receiverOf } from '../../../test/outbound/test-receiver.ts';

const toPort = (port: number) => ({ url: `http://127.0.0.1:${port}/hook`, headers: {}, body: '{}' });

test('the receiver gets the method, path, headers and body, and is not asked to compress', async () => {
  const received: { request: IncomingMessage; body: string }[] = [];
  const port = await receiverOf((request, response) => {
    void text(request).then((body) => {
      received.push({ request, body });
      response.end();
    });
  });
  await outboundOf({ resolve: namesOf({ 'hook.example': ['127.0.0.1'] }) }).post({
    url: `http://hook.example:${port}/path?a=1#part`,
    headers: { 'Content-Type': 'application/json', 'X-Webhook-Secret': 'secret' },
    body: '{"größe":1}',
  });
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ request: { method: 'POST', url: '/path?a=1' }, body: '{"größe":1}' });
  expect(received[0]!.request.headers).toEqual({
    host: `hook.example:${port}`,
    connection: 'keep-alive',
    'content-type': 'application/json',
    'content-length': '13',
    'x-webhook-secret': 'secret',
  });
});

test('any status is an answer, with its body as text and its headers in lower case, repeated ones joined', async () => {
  const port = await receiverOf((_request, response) => {
    response.writeHead(503, { 'Retry-After': '30', 'X-Many': ['a', 'b'], Date: 'today' }).end('later, bitte schön');
  });
  expect(await outboundOf().post(toPort(port))).toEqual({
    kind: 'answered',
    status: 503,
    headers: expect.objectContaining({ 'retry-after': '30', 'x-many': 'a, b' }),
    body: 'later, bitte schön',
    durationMs: expect.any(Number),
  });
});

test('the first 4 KiB of the body are kept, and no character is cut in half', async () => {
  const port = await receiverOf((_request, response) => void response.end(`x${'ö'.repeat(4_000)}`));
  expect(await outboundOf().post(toPort(port))).toMatchObject({ status: 200, body: `x${'ö'.repeat(2_047)}` });
});

test('bytes that are not UTF-8 and NUL characters are replaced', async () => {
  const port = await receiverOf((_request, response) => void response.end(Buffer.from([0x61, 0xff, 0, 0x62, 0xc3])));
  expect(await outboundOf().post(toPort(port))).toMatchObject({ body: 'a\uFFFD\uFFFDb\uFFFD' });
});

test('an endless body is cut off after 64 KiB, the connection is closed and the status counts', async () => {
  let closed: (sent: number) => void = () => {};
  const sentUntilClosed = new Promise<number>((resolve) => {
    closed = resolve;
  });
  const port = await receiverOf((_request, response) => {
    const pour = () => {
      while (response.write('x'.repeat(16_384)));
    };
    response.on('drain', pour).on('close', () => closed(response.socket?.bytesWritten ?? 0));
    pour();
  });
  const result = await outboundOf().post(toPort(port));
  expect(result).toMatchObject({ kind: 'answered', status: 200, body: 'x'.repeat(4_096) });
  expect(await sentUntilClosed).toBeLessThan(16 * 1024 * 1024); // what the buffers of the system take in
});

test('a dripping body is cut off by the deadline', async () => {
  const port = await receiverOf((_request, response) => {
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
  });
  expect(await outboundOf({ deadlineMs: 200 }).post(toPort(port))).toEqual(failure('Timed out after 0.2 s'));
});

test('a compressed answer is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));
  const port = await receiverOf((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  const result = await outboundOf().post(toPort(port));
  expect(result).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } });
  expect(result.kind === 'answered' && result.body.length).toBeLessThanOrEqual(4_096);
});

test('headers beyond 16 KiB fail the attempt', async () => {
  const many = Array.from({ length: 1_000 }, (_, n) => `x-header-${n}: ${'v'.repeat(20)}\r\n`).join('');
  const port = await rawReceiverOf((socket) => socket.write(`HTTP/1.1 200 OK\r\n${many}\r\n`));
  expect(await outboundOf().post(toPort(port))).toEqual(failure("The answer's headers are too large"));
});

test('of many small headers, 64 are kept, and of a long one, the first 1,024 characters', async () => {
  const many = Array.from({ length: 1_000 }, (_, n) => `h${n}: v\r\n`).join('');
  const port = await rawReceiverOf((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nlong: ${'v'.repeat(2_000)}\r\n${many}content-length: 2\r\n\r\nok`);
  });
  const result = await outboundOf().post(toPort(port));
  if (result.kind !== 'answered') throw new Error(result.error);
  expect(Object.keys(result.headers)).toHaveLength(64);
  expect(result).toMatchObject({ body: 'ok', headers: { long: 'v'.repeat(1_024), h62: 'v' } });
});

test('headers named like properties of every object do no harm', async () => {
  const port = await rawReceiverOf((socket) => {
    socket.end('HTTP/1.1 200 OK\r\n__proto__: a\r\n__proto__: b\r\nconstructor: c\r\ncontent-length: 0\r\n\r\n');
  });
  const result = await outboundOf().post(toPort(port));
  expect(result.kind === 'answered' && Object.entries(result.headers)).toEqual([
    ['__proto__', 'a, b'],
    ['constructor', 'c'],
    ['content-length', '0'],
  ]);
});

test.each([
  ['before an answer', ''],
  ['within the headers', 'HTTP/1.1 200 OK\r\ncontent-le'],
  ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this'],
])('a connection closed %s fails the attempt', async (_when, sent) => {
  const port = await rawReceiverOf((socket) => socket.end(sent));
  expect(await outboundOf().post(toPort(port))).toEqual(
    failure('The connection was closed before the answer was complete'),
  );
});

test('an answer that is not HTTP fails the attempt', async () => {
  const port = await rawReceiverOf((socket) => socket.end('220 mail.example ESMTP\r\n'));
  expect(await outboundOf().post(toPort(port))).toEqual(failure(/^The answer is not valid HTTP: /));
});

test('a refused connection is reported as such', async () => {
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: freed } = probe.address() as AddressInfo;
      probe.close(() => resolve(freed));
    });
  });
  expect(await outboundOf().post(toPort(port))).toEqual(failure('Connection refused'));
  const twoAddresses = outboundOf({ resolve: namesOf({ 'hook.example': ['127.0.0.1', '127.0.0.2'] }) });
  expect(await twoAddresses.post({ ...toPort(port), url: `http://hook.example:${port}/` })).toEqual(
    failure('Connection refused'),
  );
});
