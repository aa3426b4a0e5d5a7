import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBranch, createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Overrides } from '../src/hub.ts';
import { startHub } from './harness.ts';
import { keepingLogger } from './logged-lines.ts';
import { type Receiver, startReceiver } from './receiver.ts';

interface SpanOnTheWire {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: { key: string; value: Record<string, unknown> }[];
}

interface Export {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: SpanOnTheWire['attributes'] };
    readonly scopeSpans: { readonly spans: SpanOnTheWire[] }[];
  }[];
}

/** Starts a collector of traces: OTLP over HTTP, in JSON. */
async function startCollector(answer: 'takes' | 'refuses' | 'hangs') {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      if (request.url !== '/v1/traces') throw new Error(`asked for ${request.url}`);
      bodies.push(text);
      headers.push(request.headers);
      if (answer === 'hangs') return;
      response.writeHead(answer === 'takes' ? 200 : 400, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    exports: () => bodies.map((body) => JSON.parse(body) as Export),
    spans: () =>
      bodies
        .map((body) => JSON.parse(body) as Export)
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const PARENT = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };

/** Starts a hub and makes a change that leads to one finished delivery. */
async function deliverOnce(
  settings: Readonly<Record<string, string>>,
  traceparent?: string,
  overrides: Overrides = {},
): Promise<void> {
  const hub = await startHub(settings, overrides as object);
  const traced: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (traceparent !== undefined) headers.set('traceparent', traceparent);
    return hub.admin.fetch(input, { ...init, headers });
  };
  try {
    await createRepo({ ...hub.admin, type: 'model', repo: 'admin/bert' });
    // Nobody gets an event of this change.
    await hub.drain();
    await createWebhook({
      ...hub.admin,
      webhook: {
        url: `${receiver.url}/secretPath?token=secretQuery`,
        secret: 'secretText',
        watched: [{ type: 'model', name: 'admin/bert' }],
        domains: ['repo'],
      },
    });
    await createBranch({ ...hub.admin, fetch: traced, type: 'model', repo: 'admin/bert', branch: 'secretBranch' });
    await hub.drain();
  } finally {
    await hub[Symbol.asyncDispose]();
  }
}

const attributesOf = ({ attributes }: Pick<SpanOnTheWire, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test('one trace connects a request with the reaction and the delivery', async () => {
  await using collector = await startCollector('takes');
  await deliverOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, `00-${PARENT.trace}-${PARENT.span}-01`);
  const spans = collector.spans().filter(({ traceId }) => traceId === PARENT.trace);
  const findSpan = (name: string) => spans.find((span) => span.name === name);
  const request = findSpan('createBranch');
  expect(request).toMatchObject({ parentSpanId: PARENT.span, kind: 2 });
  const delivery = findSpan('deliver to webhook');
  const reaction = spans.find(({ name }) => name.startsWith('react to '));
  for (const span of [delivery, reaction]) expect(span?.parentSpanId).toBe(request?.spanId);
  expect(spans).toHaveLength(3);
  expect(request && attributesOf(request)).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/{repoType}/{namespace}/{repo}/branch/{rev}',
    'http.response.status_code': 200,
    'moonbase.request.id': expect.any(String),
  });
  expect(delivery && attributesOf(delivery)).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(receiver.url).port),
    'moonbase.delivery.id': receiver.received[0]?.headers['webhook-id'],
    'moonbase.delivery.attempt': 1,
    'moonbase.webhook.id': expect.any(String),
  });
  expect(receiver.received[0]?.headers.traceparent).toBe(`00-${PARENT.trace}-${delivery?.spanId}-01`);
});

test('a request with no valid trace begins one', async () => {
  await using collector = await startCollector('takes');
  await deliverOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` }, `00-${'0'.repeat(32)}-${PARENT.span}-01`);
  const request = collector.spans().find(({ name }) => name === 'createBranch');
  expect(request?.parentSpanId).toBeUndefined();
  const delivery = collector.spans().find(({ name }) => name === 'deliver to webhook');
  expect(delivery).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
  const [first] = collector.exports();
  expect(first && attributesOf(first.resourceSpans[0]?.resource ?? { attributes: [] })).toMatchObject({
    'service.name': 'moonbase',
  });
});

test('spans contain no secrets: no tokens, payloads, or paths and queries of receivers', async () => {
  await using collector = await startCollector('takes');
  await deliverOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const told = collector.bodies.join('\n');
  expect(told).toContain('deliver to webhook');
  expect(told).not.toMatch(/secret|hf_|bert/i);
});

test('without a collector no spans are sent, and deliveries have no traceparent', async () => {
  await using collector = await startCollector('takes');
  await deliverOnce({}, `00-${PARENT.trace}-${PARENT.span}-01`);
  await deliverOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' });
  expect(collector.bodies).toEqual([]);
  expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual([undefined, undefined]);
});

test.each(['refuses', 'hangs'] as const)(
  'a collector that %s costs no delivery, and the log says so once',
  async (answer) => {
    await using collector = await startCollector(answer);
    const { lines, logger } = keepingLogger('warn');
    await deliverOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/secretPath/..` }, undefined, { logger });
    expect(lines).toEqual([
      expect.stringMatching(/"collector":"127\.0\.0\.1:\d+","reason":".*the collector takes no traces/),
    ]);
    expect(lines.join('')).not.toContain('secretPath');
    expect(receiver.received).toHaveLength(1);
    expect(collector.bodies.length).toBeGreaterThan(0);
  },
);

test('an unreachable collector affects no delivery', async () => {
  const gone = await startCollector('takes');
  await gone[Symbol.asyncDispose]();
  await deliverOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: gone.url });
  expect(receiver.received).toHaveLength(1);
});

test('an invalid collector URL prevents the start', async () => {
  await expect(startHub({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).rejects.toThrow(
    /OTEL_EXPORTER_OTLP_ENDPOINT: must be an http or https URL/,
  );
});

test('the log entry of an unsendable delivery has its trace id and no secrets', async () => {
  await using collector = await startCollector('takes');
  const lines: string[] = [];
  const outbound = {
    async post() {
      throw new Error('out of order');
    },
    async [Symbol.asyncDispose]() {},
  } as unknown as NonNullable<Overrides['outbound']>;
  const logger = pino({ level: 'trace', base: null }, { write: (line: string) => void lines.push(line) });
  const traceparent = `00-${PARENT.trace}-${PARENT.span}-01`;
  await deliverOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, traceparent, { outbound, logger });
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged).toContainEqual(
    expect.objectContaining({
      msg: 'a delivery could not be sent',
      deliveryId: expect.stringMatching(/^[0-9a-f]{24}$/),
      traceparent: expect.stringMatching(`^00-${PARENT.trace}-[0-9a-f]{16}-01$`),
    }),
  );
  expect(lines.join('')).not.toMatch(/secret|hf_|bert/i);
});
