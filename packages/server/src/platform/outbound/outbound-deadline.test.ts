import { expect, test } from 'vitest';
import { failure, namesOf, outboundOf, rawReceiverOf, receiverOf, to } from '../../../test/outbound/test-receiver.ts';

test('a receiver that never answers is given up at the deadline', async () => {
  const port = await receiverOf(() => {});
  const result = await outboundOf({ deadlineMs: 200 }).post(to(`http://127.0.0.1:${port}`));
  expect(result).toEqual(failure('Timed out after 0.2 s'));
  expect(result.durationMs).toBeGreaterThanOrEqual(190);
});

test('a TLS handshake that hangs is given up at the deadline', async () => {
  const port = await rawReceiverOf(() => {});
  const result = await outboundOf({ deadlineMs: 200 }).post(to(`https://127.0.0.1:${port}`));
  expect(result).toEqual(failure('Timed out after 0.2 s'));
});

test('a look-up that hangs is given up at the deadline, and nothing is sent when it answers at last', async () => {
  const paths: (string | undefined)[] = [];
  const port = await receiverOf((request, response) => {
    paths.push(request.url);
    response.end();
  });
  const lookups: ((addresses: { address: string; family: 4 }[]) => void)[] = [];
  const outbound = outboundOf({ deadlineMs: 2_000, resolve: () => new Promise((answer) => lookups.push(answer)) });
  expect(await outbound.post(to(`http://hook.example:${port}/first`))).toEqual(failure('Timed out after 2 s'));
  const second = outbound.post(to(`http://hook.example:${port}/second`));
  for (const answer of lookups) answer([{ address: '127.0.0.1', family: 4 }]);
  expect(await second).toMatchObject({ status: 200 });
  expect(paths).toEqual(['/second']);
});

test('a hanging receiver does not hold up another request to the same host', async () => {
  let hang = true;
  const port = await receiverOf((_request, response) => {
    if (!hang) response.end('ok');
    hang = false;
  });
  const outbound = outboundOf({ deadlineMs: 2_000 });
  const results = await Promise.all([1, 2, 3].map(() => outbound.post(to(`http://127.0.0.1:${port}`))));
  expect(results.map(({ kind }) => kind).sort()).toEqual(['answered', 'answered', 'failed']);
});

test('a failure of TLS is reported with its reason', async () => {
  const port = await rawReceiverOf((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await outboundOf().post(to(`https://127.0.0.1:${port}`))).toEqual(failure(/^TLS: .*(version|packet)/));
});

test('an unknown name is named in the error', async () => {
  const outbound = outboundOf({ resolve: namesOf({ 'empty.example': [] }) });
  expect(await outbound.post(to('http://x.example/'))).toEqual(
    failure('Address not allowed: x.example (no public address was found for this name)'),
  );
  expect(await outbound.post(to('http://empty.example/'))).toEqual(
    failure('Address not allowed: empty.example (no public address was found for this name)'),
  );
});

test('another failure of a look-up is reported to the operator with its code and message', async () => {
  const resolve = () => Promise.reject(Object.assign(new Error('try\nagain'), { code: 'EAI_AGAIN' }));
  const told: string[] = [];
  const outbound = outboundOf({ resolve, onNameRefused: (...reason) => told.push(...reason) });
  expect(await outbound.post(to('http://x.example/'))).toEqual(failure(/^Address not allowed: x.example /));
  expect(told).toEqual(['x.example', 'EAI_AGAIN: try again']);
});

test('a header that cannot be sent fails the attempt', async () => {
  const result = await outboundOf().post({ url: 'http://127.0.0.1:9/', headers: { 'x-bad': 'a\nb' }, body: '' });
  expect(result).toEqual(failure(/invalid x-bad header/));
});

test('stopping fails requests in flight and later ones', async () => {
  const stop = new AbortController();
  const port = await receiverOf(() => stop.abort());
  const outbound = outboundOf({ signal: stop.signal });
  expect(await outbound.post(to(`http://127.0.0.1:${port}`))).toEqual(failure('The hub is stopping'));
  expect(await outbound.post(to(`http://127.0.0.1:${port}`))).toEqual(failure('The hub is stopping'));
  const late = outboundOf({ signal: stop.signal });
  expect(await late.post(to(`http://127.0.0.1:${port}`))).toEqual(failure('The hub is stopping'));
});

test('disposing fails requests in flight', async () => {
  let arrived: () => void = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const port = await receiverOf(() => arrived());
  const outbound = outboundOf();
  const result = outbound.post(to(`http://127.0.0.1:${port}`));
  await arrival;
  await outbound[Symbol.asyncDispose]();
  expect(await result).toEqual(failure('The hub is stopping'));
});
