import { connect } from 'node:net';
import express from 'express';
import { describe, expect, test, vi } from 'vitest';
import { createReceiver, type ReceiverOptions } from '../src/index.ts';
import { createNodeHandler } from '../src/node.ts';
import { createWebHandler } from '../src/web.ts';
import { ADAPTER_NAMES, serveWith } from './adapters.ts';
import { keptLog, payloadOf, signed } from './messages.ts';

const BODY = JSON.stringify(payloadOf('repo.update', { note: 'ä 🌕' }));
const HEADERS = { 'content-type': 'application/json', 'x-webhook-secret': 'hush' };

async function behind(adapter: string, options: ReceiverOptions = {}) {
  const receiver = createReceiver({ secret: 'hush', log: keptLog(), ...options });
  receiver.addWebhook('hook', ({ repo }) => ({ heard: repo.name }));
  const served = await serveWith(adapter, receiver);
  return {
    receiver,
    url: served.url,
    async post(headers: Record<string, string> = HEADERS, body: RequestInit['body'] = BODY, path = '/webhooks/hook') {
      const response = await fetch(served.url + path, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
      return { status: response.status, body: (await response.json()) as unknown, headers: response.headers };
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

describe.each(ADAPTER_NAMES)('behind %s', (adapter) => {
  test('deliveries are answered with the result of the handler', async () => {
    await using hook = await behind(adapter);
    expect(await hook.post()).toMatchObject({ status: 200, body: { heard: 'acme/bert' } });
    expect(await hook.post({ ...HEADERS, ...signed(BODY) })).toMatchObject({ status: 200 });
    const response = await hook.post({ ...HEADERS, ...signed(BODY) });
    expect(response).toMatchObject({ status: 200, body: { duplicate: true } });
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  test('invalid requests are refused', async () => {
    await using hook = await behind(adapter);
    const type = { 'content-type': 'application/json' };
    expect(await hook.post(type)).toMatchObject({ status: 401, body: { error: 'x-webhook-secret header not set.' } });
    expect(await hook.post({ ...type, 'x-webhook-secret': 'x' })).toMatchObject({ status: 403 });
    expect(await hook.post({ ...HEADERS, ...signed(`${BODY} `) })).toMatchObject({ status: 403 });
    expect(await hook.post(HEADERS, '{')).toMatchObject({ status: 422 });
    expect(await hook.post(HEADERS, BODY, '/webhooks/x')).toMatchObject({ status: 404, body: { detail: 'Not Found' } });
    const put = await fetch(`${hook.url}/webhooks/hook`, { method: 'PUT', headers: HEADERS, body: BODY });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await hook.post()).toMatchObject({ status: 200 });
  });

  test.each(['of a known', 'of an unknown'])('a body that is too long is refused, %s length', async (length) => {
    await using hook = await behind(adapter, { maxBody: 1000 });
    const long = JSON.stringify(payloadOf('repo.update', { note: 'x'.repeat(1000) }));
    const body = length === 'of a known' ? long : new Blob([long]).stream();
    expect(await hook.post(HEADERS, body)).toMatchObject({
      status: 413,
      body: { error: expect.stringMatching(/1000 bytes/) },
    });
    expect(await hook.post()).toMatchObject({ status: 200 });
  });

  test('a body in many chunks is reassembled', async () => {
    await using hook = await behind(adapter);
    const parts = [...Buffer.from(BODY)].map((byte) => Uint8Array.of(byte));
    const stream = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    expect(await hook.post({ ...HEADERS, ...signed(BODY) }, stream)).toMatchObject({ status: 200 });
  });

  test('the status page responds, to HEAD without a body', async () => {
    await using hook = await behind(adapter);
    const page = await fetch(`${hook.url}/webhooks`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('POST /webhooks/hook')]);
    const head = await fetch(`${hook.url}/webhooks`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

test.each(['Express', 'Fastify'])('%s keeps its own routes and its own parsing of bodies', async (adapter) => {
  await using hook = await behind(adapter);
  expect(await hook.post(HEADERS, BODY, '/own')).toMatchObject({ status: 200, body: JSON.parse(BODY) });
  expect((await fetch(`${hook.url}/elsewhere`)).status).toBe(404);
});

describe('in Express', () => {
  async function mounted(
    mount: (app: express.Express, handler: ReturnType<typeof createNodeHandler>) => void,
    options: ReceiverOptions = {},
  ) {
    const receiver = createReceiver({ secret: 'hush', log: keptLog(), ...options });
    receiver.addWebhook('hook', () => 'heard');
    const app = express();
    mount(app, createNodeHandler(receiver));
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    return {
      post: (path: string) =>
        fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          headers: { ...HEADERS, ...signed(BODY) },
          body: BODY,
        }),
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  test('behind a body parser the error says what is wrong', async () => {
    const onError = vi.fn();
    await using app = await mounted((express_, handler) => express_.use(express.json()).use(handler), { onError });
    const response = await app.post('/webhooks/hook');
    expect(response.status).toBe(500);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ message: expect.stringMatching(/before express\.json\(\)/) });
  });

  test('behind express.raw() the parsed bytes are used', async () => {
    await using app = await mounted((express_, handler) => express_.use(express.raw({ type: '*/*' })).use(handler));
    expect((await app.post('/webhooks/hook')).status).toBe(200);
  });

  test('endpoints match the full path, wherever the router is mounted', async () => {
    await using app = await mounted((express_, handler) => express_.use('/api', handler), { path: '/api/webhooks' });
    expect((await app.post('/api/webhooks/hook?from=hub')).status).toBe(200);
  });
});

test('a sender that disconnects within a body does no harm', async () => {
  const onError = vi.fn();
  await using hook = await behind('node:http', { onError });
  const { port } = new URL(hook.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST /webhooks/hook HTTP/1.1\r\nhost: x\r\nx-webhook-secret: hush\r\ncontent-length: 99\r\n\r\n{');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.resetAndDestroy();
  expect(await hook.post()).toMatchObject({ status: 200 });
  expect(onError).not.toHaveBeenCalled();
});

test.each([
  ['first', (context: object) => [context]],
  ['second, as Workers hand it over', (context: object) => [{ SECRET: 'hush' }, context]],
])('a Web runtime is told to wait for a handler behind a 202: %s', async (_, runtime) => {
  const receiver = createReceiver({ secret: 'hush', log: keptLog(), answerWithin: 1 });
  let finish = () => {};
  receiver.addWebhook(
    'hook',
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  const waited: Promise<unknown>[] = [];
  const context = { waitUntil: (promise: Promise<unknown>) => void waited.push(promise) };
  const request = new Request('http://x/webhooks/hook', { method: 'POST', headers: HEADERS, body: BODY });
  expect((await createWebHandler(receiver)(request, ...runtime(context))).status).toBe(202);
  expect(waited).toHaveLength(1);
  finish();
  await waited[0];
});
