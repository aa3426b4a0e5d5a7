import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createAddressGuard, createAllowList } from './address-guard.ts';
import { createGuardedStreams } from './guarded-streams.ts';

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const anywhere = { admits: () => true };
const patient = { guard: anywhere, headersMs: 60_000, stallMs: 60_000 };
const get = (signal = new AbortController().signal) => ({ method: 'GET' as const, headers: {}, signal });

async function collected(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('a body is read while it arrives, however long that takes, and the reader sets the pace', async () => {
  await using server = await serve((request, response) => {
    response.writeHead(200, { 'x-method': request.method, 'x-twice': ['a', 'b'] });
    request.pipe(response);
  });
  await using streams = createGuardedStreams(patient);
  const body = 'x'.repeat(300_000);
  await using answer = await streams.open(server.url, { ...get(), method: 'POST', body });
  expect([answer.status, answer.header('x-method'), answer.header('x-none')]).toEqual([200, 'POST', undefined]);
  expect(await collected(answer.body)).toBe(body);
});

test('a response that does not come, or stalls, is given up', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/half') response.writeHead(200).write('half');
  });
  await using streams = createGuardedStreams({ guard: anywhere, headersMs: 200, stallMs: 100 });
  await expect(streams.open(`${server.url}/never`, get())).rejects.toThrow('Timed out after 0.2 s');
  await using answer = await streams.open(`${server.url}/half`, get());
  await expect(collected(answer.body)).rejects.toThrow('Timed out after 0.1 s');
});

test('a signal ends a request at any time, with its reason', async () => {
  let isClosed: Promise<unknown> = Promise.resolve();
  await using server = await serve((request, response) => {
    isClosed = once(response, 'close');
    if (request.url === '/half') response.writeHead(200).write('half');
  });
  await using streams = createGuardedStreams(patient);
  const reason = new Error('enough');
  const early = new AbortController();
  const never = streams.open(`${server.url}/never`, get(early.signal));
  setTimeout(() => early.abort(reason), 50);
  await expect(never).rejects.toBe(reason);
  const late = new AbortController();
  await using answer = await streams.open(`${server.url}/half`, get(late.signal));
  const reading = collected(answer.body);
  setTimeout(() => late.abort(reason), 50);
  await expect(reading).rejects.toBe(reason);
  await isClosed;
  await expect(streams.open(server.url, get(late.signal))).rejects.toBe(reason);
});

test('whoever does not read a body to its end closes the connection', async () => {
  let isClosed: Promise<unknown> = Promise.resolve();
  await using server = await serve((_, response) => {
    isClosed = once(response, 'close');
    response.writeHead(200);
    const more = (): void =>
      void (response.write('x'.repeat(10_000)) ? setImmediate(more) : response.once('drain', more));
    more();
  });
  await using streams = createGuardedStreams(patient);
  {
    await using _ = await streams.open(server.url, get());
  }
  await isClosed;
  await using answer = await streams.open(server.url, get());
  for await (const piece of answer.body) {
    expect(piece.length).toBeGreaterThan(0);
    break;
  }
  await isClosed;
});

test('plain http has a guard of its own', async () => {
  await using server = await serve((_, response) => response.end('hello'));
  const none = { allow: [], allowLoopback: false };
  const one = { allow: ['127.0.0.1'], allowLoopback: false };
  for (const [allowed, isRefused] of [
    [none, true],
    [one, false],
  ] as const) {
    const guards = { guard: createAddressGuard(allowed), guardInTheClear: createAllowList(allowed) };
    await using streams = createGuardedStreams({ ...patient, ...guards });
    const asked = streams.open(server.url, get());
    if (isRefused) await expect(asked).rejects.toThrow('Address not allowed: 127.0.0.1');
    else {
      await using answer = await asked;
      expect(await collected(answer.body)).toBe('hello');
    }
    await expect(streams.open('http://93.184.215.14/', get())).rejects.toThrow('Address not allowed: 93.184.215.14');
    for (const url of ['https://10.0.0.1/', 'https://169.254.169.254/', 'https://[::1]/'])
      await expect(streams.open(url, get())).rejects.toThrow('Address not allowed');
  }
});
