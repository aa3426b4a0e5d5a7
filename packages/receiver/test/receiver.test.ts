import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createReceiver, EVENT_NAMES, type Receiver, type ReceiverOptions } from '../src/index.ts';
import { serve } from '../src/node.ts';
import { createWebHandler } from '../src/web.ts';
import { keptLog, payloadOf, signature, signed } from './messages.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const BODY = JSON.stringify(payloadOf('repo.content.update'));
const NOW = 1_800_000_000_000;

/** A receiver that knows the time and says nothing. */
const quiet = (options: ReceiverOptions = {}): Receiver =>
  createReceiver({ secret: 'hush', log: keptLog(), now: () => NOW, ...options });

interface Sent {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly method?: string;
}

/** Sends a request, as the secret in a header authenticates it unless headers are given. */
async function post(receiver: Receiver, sent: Sent = {}) {
  const { path = '/webhooks/hook', method = 'POST', headers = { 'x-webhook-secret': 'hush' }, body = BODY } = sent;
  const hasBody = method === 'POST';
  const response = await createWebHandler(receiver)(
    new Request(`http://receiver.example${path}`, { method, headers, ...(hasBody && { body }) }),
  );
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text, headers: response.headers };
}

test('the example of the README', async () => {
  const [, example = '', says = ''] = /```js\n(.*?)```.*?```\n(.*?)```/s.exec(
    readFileSync(`${folder}README.md`, 'utf8'),
  )!;
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', '--input-type=module'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.stdin.end(example.replace('port: 4000', 'port: 0'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  try {
    const said = [await next(), await next(), await next(), await next(), await next()];
    const url = /http:\S+:\d+/.exec(said[2]!)?.[0] ?? '';
    expect(said).toEqual(says.trimEnd().replaceAll('http://127.0.0.1:4000', url).split('\n'));
    const send = (path: string, event: string, headers: Record<string, string>) =>
      fetch(url + path, { method: 'POST', headers, body: JSON.stringify(payloadOf(event)) });

    const answered = await send('/webhooks/retrain', 'repo.content.update', { 'x-webhook-secret': 'hush' });
    expect(answered.status).toBe(200);
    expect(await answered.json()).toEqual({ repo: 'acme/bert', event: { scope: 'repo.content', action: 'update' } });
    expect((await send('/webhooks/retrain', 'repo.content.update', {})).status).toBe(401);
    await send('/webhooks', 'discussion.comment.create', { 'x-webhook-secret': 'hush' });
    expect(await next()).toBe('#1 Licence?: Which one is it?');
  } finally {
    child.kill();
    await ended;
  }
});

describe('a receiver behaves as the Python one (W§3.4):', () => {
  const set = { status: 200, body: { heard: 'acme/bert' } };
  const SECRET = 'x-webhook-secret';
  type Case = [what: string, options: ReceiverOptions, sent: Sent, answer: { status: number; body: unknown }];

  test.each<Case>([
    ['no header', {}, { headers: {} }, { status: 401, body: { error: 'x-webhook-secret header not set.' } }],
    [
      'another secret',
      {},
      { headers: { [SECRET]: 'other' } },
      { status: 403, body: { error: 'Invalid webhook secret.' } },
    ],
    [
      'a longer one',
      {},
      { headers: { [SECRET]: 'hushhush' } },
      { status: 403, body: { error: 'Invalid webhook secret.' } },
    ],
    ['an empty one', {}, { headers: { [SECRET]: '' } }, { status: 403, body: { error: 'Invalid webhook secret.' } }],
    ['the secret', {}, { headers: { [SECRET]: 'hush' } }, set],
    ['one of two secrets', { secret: ['new', 'hush'] }, { headers: { [SECRET]: 'hush' } }, set],
    ['the name of the handler, when no path is given', {}, { path: '/webhooks/named' }, { status: 200, body: 'named' }],
    ['slashes trimmed at both ends', {}, { path: '/webhooks/a/b' }, { status: 200, body: 'trimmed' }],
    ['an asynchronous handler', {}, { path: '/webhooks/later' }, { status: 200, body: ['later'] }],
    ['a handler that returns nothing', {}, { path: '/webhooks/nothing' }, { status: 200, body: null }],
    ['a name that is not registered', {}, { path: '/webhooks/x' }, { status: 404, body: { detail: 'Not Found' } }],
    [
      'a method but POST',
      {},
      { path: '/webhooks/hook', method: 'GET' },
      { status: 405, body: { detail: 'Method Not Allowed' } },
    ],
  ])('%s', async (_, options, sent, answer) => {
    const receiver = quiet(options);
    receiver.addWebhook('hook', ({ repo }) => ({ heard: repo.name }));
    receiver.addWebhook(function named() {
      return 'named';
    });
    receiver.addWebhook('//a/b/', () => 'trimmed');
    receiver.addWebhook('later', async () => ['later']);
    receiver.addWebhook('nothing', () => undefined);
    expect(await post(receiver, sent)).toMatchObject(answer);
  });

  test('registering a path twice is refused', () => {
    const receiver = quiet();
    receiver.addWebhook('/hook', () => 1);
    expect(() => receiver.addWebhook('hook/', () => 2)).toThrow('Webhook /webhooks/hook already exists.');
    expect(() =>
      receiver.addWebhook(function hook() {
        return 3;
      }),
    ).toThrow('Webhook /webhooks/hook already exists.');
    expect(receiver.endpoints()).toEqual(['/webhooks/hook']);
  });

  describe('the secret', () => {
    afterEach(() => vi.unstubAllEnvs());

    test.each<[string, ReceiverOptions['secret'], string | undefined, string, number]>([
      ['is the argument', 'given', 'from outside', 'given', 200],
      ['is not that of the environment then', 'given', 'from outside', 'from outside', 403],
      ['is WEBHOOK_SECRET without an argument', undefined, 'from outside', 'from outside', 200],
      ['is WEBHOOK_SECRET and nothing else then', undefined, 'from outside', 'given', 403],
      ['may be missing, which opens the endpoints', undefined, undefined, 'whatever', 200],
    ])('%s', async (_, secret, outside, sent, status) => {
      vi.stubEnv('WEBHOOK_SECRET', outside);
      const receiver = quiet({ secret });
      receiver.addWebhook('hook', () => 1);
      expect((await post(receiver, { headers: { 'x-webhook-secret': sent } })).status).toBe(status);
    });

    test('is missing: every delivery is accepted, and a warning of three parts says so', async () => {
      vi.stubEnv('WEBHOOK_SECRET', undefined);
      const log = keptLog();
      const receiver = createReceiver({ log });
      receiver.addWebhook('hook', () => 1);
      expect(await post(receiver, { headers: {} })).toMatchObject({ status: 200, body: 1 });
      expect(log.lines).toEqual([
        expect.stringMatching(/open to everyone/),
        expect.stringMatching(/WEBHOOK_SECRET/),
        expect.stringMatching(/README/),
      ]);
    });

    test('is set: one line says so, without showing the secret', () => {
      const log = keptLog();
      createReceiver({ secret: 'hush', log });
      expect(log.lines).toEqual(['Webhook secret is correctly defined.']);
    });

    test.each([['argument', '', undefined] as const, ['environment', undefined, ''] as const])(
      'is never empty by mistake: %s',
      (_, secret, outside) => {
        vi.stubEnv('WEBHOOK_SECRET', outside);
        expect(() => quiet({ secret })).toThrow('The webhook secret is empty');
      },
    );
  });

  test('starting prints the URLs of the endpoints', async () => {
    const receiver = quiet();
    receiver.addWebhook('one', () => 1);
    receiver.addWebhook('two', () => 2);
    const log = keptLog();
    const serving = await serve(receiver, { port: 0, log });
    await serving.close();
    expect(log.lines).toEqual([
      'Webhooks are correctly setup and ready to use:',
      `  - POST ${serving.url}/webhooks/one`,
      `  - POST ${serving.url}/webhooks/two`,
      expect.stringContaining('settings'),
    ]);
  });
});

describe('a signature', () => {
  const id = 'msg_1';
  const seconds = String(NOW / 1000);
  const good = signature('hush', id, seconds, BODY);
  const whsec = `whsec_${Buffer.from('a key of twenty-four byte').toString('base64')}`;
  const at = (minutes: number) => signed(BODY, { at: NOW + minutes * 60_000 });
  type Case = [what: string, options: ReceiverOptions, headers: Record<string, string>, error: string | undefined];
  const WRONG = 'Invalid webhook signature.';
  const WRONG_SECRET = 'Invalid webhook secret.';
  const UNTIMELY = 'webhook-timestamp is not within five minutes of now.';

  test.each<Case>([
    ['is enough', {}, at(0), undefined],
    ['goes with the secret', {}, { ...at(0), 'x-webhook-secret': 'hush' }, undefined],
    ['decides where the header has the next secret', {}, { ...at(0), 'x-webhook-secret': 'next' }, undefined],
    ['of another body', {}, signed(`${BODY} `, { at: NOW }), WRONG],
    [
      'of another body, with the right secret',
      {},
      { ...signed(`${BODY} `, { at: NOW }), 'x-webhook-secret': 'hush' },
      WRONG,
    ],
    ['of another id', {}, { ...at(0), 'webhook-id': 'msg_2' }, WRONG],
    ['of another time', {}, { ...at(0), 'webhook-timestamp': String(NOW / 1000 - 1) }, WRONG],
    ['made with another secret', {}, signed(BODY, { at: NOW, key: 'other' }), WRONG],
    [
      'made with another secret, which the header has',
      {},
      { ...signed(BODY, { at: NOW, key: 'other' }), 'x-webhook-secret': 'other' },
      WRONG_SECRET,
    ],
    ['that is empty', {}, signed(BODY, { at: NOW, signature: '' }), WRONG],
    ['cut short', {}, signed(BODY, { at: NOW, signature: good.slice(0, -1) }), WRONG],
    ['of another version', {}, signed(BODY, { at: NOW, signature: good.replace('v1', 'v2') }), WRONG],
    ['among others', {}, signed(BODY, { at: NOW, signature: `v1a,xyz v1,AAAA ${good}` }), undefined],
    ['without an id', {}, { 'webhook-timestamp': seconds, 'webhook-signature': good }, WRONG],
    ['without a time', {}, { 'webhook-id': id, 'webhook-signature': good }, UNTIMELY],
    ['with a time that is none', {}, { ...at(0), 'webhook-timestamp': '1e9' }, UNTIMELY],
    ['of five minutes ago', {}, at(-5), undefined],
    ['of longer ago', {}, at(-5.1), UNTIMELY],
    ['of five minutes ahead', {}, at(5), undefined],
    ['of further ahead', {}, at(5.1), UNTIMELY],
    ['with an old secret during a rotation', { secret: ['new', 'hush'] }, at(0), undefined],
    [
      'with the decoded bytes of whsec_',
      { secret: whsec },
      signed(BODY, { at: NOW, key: Buffer.from('a key of twenty-four byte') }),
      undefined,
    ],
    ['with the text of whsec_', { secret: whsec }, signed(BODY, { at: NOW, key: whsec }), WRONG],
  ])('%s', async (_, options, headers, error) => {
    const receiver = quiet(options);
    receiver.addWebhook('hook', () => 'heard');
    const expected = error === undefined ? { status: 200, body: 'heard' } : { status: 403, body: { error } };
    expect(await post(receiver, { headers })).toMatchObject(expected);
  });

  test('covers bytes, not text', async () => {
    const receiver = quiet();
    receiver.addWebhook('hook', ({ repo }) => repo.name);
    const body = JSON.stringify(payloadOf('repo.update', { note: 'ä 🌕 \u2028' }));
    expect((await post(receiver, { body, headers: signed(body, { at: NOW }) })).status).toBe(200);
  });
});

describe('events', () => {
  test('reach handlers for the event, for its scope and for all events, at any endpoint and at the path itself', async () => {
    const receiver = quiet();
    const heard: string[] = [];
    receiver.on('repo.move', () => heard.push('repo.move'));
    receiver.on('repo', () => heard.push('repo'));
    receiver.on('repo.content', () => heard.push('repo.content'));
    receiver.on('*', () => heard.push('*'));
    receiver.addWebhook('hook', () => heard.push('hook'));
    const move = JSON.stringify(payloadOf('repo.move', { movedTo: { name: 'b/c', owner: { id: 'd' } } }));
    expect(await post(receiver, { path: '/webhooks', body: move })).toMatchObject({ body: { received: true } });
    expect(heard.splice(0)).toEqual(['repo.move', 'repo', '*']);
    await post(receiver);
    expect(heard.splice(0)).toEqual(['hook', 'repo.content', '*']);
  });

  test.each([
    ['repo.secrets', 'create', 'repo', 'update'],
    ['repo.config.dois', 'delete', 'repo.config', 'update'],
    ['discussion.comment.reaction', 'create', 'discussion.comment', 'update'],
    ['discussion', 'pin', 'discussion', 'update'],
    ['discussion.comment', 'delete', 'discussion.comment', 'update'],
    ['collection.item', 'create', 'collection.item', 'create'],
    ['', 'create', '', 'create'],
    ['repository', 'create', 'repository', 'create'],
  ])('that are unknown (%s, %s) count as %s, %s', async (scope, action, known, as) => {
    const receiver = quiet();
    receiver.addWebhook('hook', ({ event }, context) => [event, context.event]);
    const more = scope.startsWith('discussion') ? {} : { discussion: undefined };
    const body = JSON.stringify(payloadOf(`${scope}.${action}`, more));
    expect((await post(receiver, { body })).body).toEqual([
      { scope: known, action: as },
      { scope, action },
    ]);
  });

  test.each(EVENT_NAMES)('keep their names: %s', async (name) => {
    const receiver = quiet();
    const heard = vi.fn();
    receiver.on(name, heard);
    const sent = payloadOf(name);
    await post(receiver, { path: '/webhooks', body: JSON.stringify(sent) });
    expect(heard.mock.calls).toEqual([[sent, expect.objectContaining({ event: sent.event })]]);
  });

  test('that do not exist cannot have handlers', () => {
    expect(() => quiet().on('repo.moved' as 'repo.move', () => {})).toThrow('There is no event "repo.moved"');
  });

  test('without a handler are not served at the path itself', async () => {
    expect((await post(quiet(), { path: '/webhooks' })).status).toBe(404);
  });

  test('are passed on with their origin', async () => {
    const receiver = quiet();
    receiver.addWebhook('hook', (_, { header, ...context }) => ({ ...context, agent: header('User-Agent') }));
    const headers = { ...signed(BODY, { at: NOW }), 'user-agent': 'Hub/1' };
    expect((await post(receiver, { headers })).body).toEqual({
      id: 'msg_1',
      sentAt: new Date(NOW).toISOString(),
      path: '/webhooks/hook',
      event: { scope: 'repo.content', action: 'update' },
      agent: 'Hub/1',
    });
  });
});

describe('a handler', () => {
  test('that throws is reported, affects no other handler, and is answered 500', async () => {
    const onError = vi.fn();
    const receiver = quiet({ onError });
    const heard = vi.fn();
    const fault = new Error('the disk is full');
    receiver.addWebhook('hook', () => 'fine');
    receiver.on('*', () => {
      throw fault;
    });
    receiver.on('repo.content', heard);
    const { status, body } = await post(receiver);
    expect([status, body]).toEqual([500, { error: 'The handler failed.' }]);
    expect(onError.mock.calls).toEqual([[fault, expect.objectContaining({ path: '/webhooks/hook' })]]);
    expect(heard).toHaveBeenCalledOnce();
  });

  test('whose result is not JSON has failed', async () => {
    const receiver = quiet();
    receiver.addWebhook('hook', () => 1n);
    expect((await post(receiver)).status).toBe(500);
  });

  test('that is slow continues after a 202', async () => {
    const receiver = quiet({ answerWithin: 1 });
    const { promise, resolve } = withResolvers();
    let finished = false;
    receiver.addWebhook('hook', async () => {
      await promise;
      finished = true;
    });
    expect(await post(receiver)).toMatchObject({ status: 202, body: { accepted: true } });
    expect(finished).toBe(false);
    resolve();
    await receiver.idle();
    expect(finished).toBe(true);
  });

  test('that fails after a 202 is reported', async () => {
    const onError = vi.fn();
    const receiver = quiet({ answerWithin: 1, onError });
    const { promise, resolve } = withResolvers();
    receiver.addWebhook('hook', async () => {
      await promise;
      throw new Error('too late');
    });
    expect((await post(receiver)).status).toBe(202);
    resolve();
    await receiver.idle();
    expect(onError).toHaveBeenCalledOnce();
  });

  test('needs a name', () => {
    const receiver = quiet();
    expect(() => receiver.addWebhook(() => 1)).toThrow(TypeError);
    expect(() => receiver.addWebhook('///', () => 1)).toThrow(TypeError);
    expect(receiver.endpoints()).toEqual([]);
  });

  test('may have any name that a path can contain', async () => {
    const receiver = quiet();
    receiver.addWebhook(function größe() {
      return 'big';
    });
    expect(await post(receiver, { path: '/webhooks/gr%C3%B6%C3%9Fe' })).toMatchObject({ status: 200, body: 'big' });
    expect((await post(receiver, { path: '/webhooks/gr%C3' })).status).toBe(404);
  });
});

describe('a repeated delivery', () => {
  const again = (receiver: Receiver, id = 'msg_1', path = '/webhooks/hook') =>
    post(receiver, { path, headers: signed(BODY, { id, at: NOW }) });

  test('is not handled again', async () => {
    const receiver = quiet();
    const handler = vi.fn(() => 'done');
    receiver.addWebhook('hook', handler);
    expect((await again(receiver)).body).toBe('done');
    expect(await again(receiver)).toMatchObject({ status: 200, body: { duplicate: true } });
    expect((await again(receiver, 'msg_2')).body).toBe('done');
    expect(handler).toHaveBeenCalledTimes(2);
  });

  test('at another endpoint is handled there', async () => {
    const receiver = quiet();
    receiver.addWebhook('hook', () => 1);
    receiver.addWebhook('other', () => 2);
    expect((await again(receiver)).body).toBe(1);
    expect((await again(receiver, 'msg_1', '/webhooks/other')).body).toBe(2);
  });

  test('is handled again when it failed before', async () => {
    const receiver = quiet();
    const handler = vi
      .fn(() => 'done')
      .mockImplementationOnce(() => {
        throw new Error('not yet');
      });
    receiver.addWebhook('hook', handler);
    expect((await again(receiver)).status).toBe(500);
    expect(await again(receiver)).toMatchObject({ status: 200, body: 'done' });
    expect((await again(receiver)).body).toEqual({ duplicate: true });
  });

  test('that arrives while the first one runs gets the same response', async () => {
    const receiver = quiet();
    const { promise, resolve } = withResolvers();
    const handler = vi.fn(() => promise.then(() => 'done'));
    receiver.addWebhook('hook', handler);
    const both = Promise.all([again(receiver), again(receiver)]);
    await vi.waitFor(() => expect(handler).toHaveBeenCalled(), { timeout: 300_000 });
    resolve();
    expect((await both).map(({ body }) => body)).toEqual(['done', 'done']);
    expect(handler).toHaveBeenCalledOnce();
  });

  test('is recognized by any store, for example a Set', async () => {
    const store = new Set<string>();
    const [one, two] = [quiet({ store }), quiet({ store })];
    for (const receiver of [one, two]) receiver.addWebhook('hook', () => 'done');
    expect((await again(one)).body).toBe('done');
    expect((await again(two)).body).toEqual({ duplicate: true });
    expect([...store]).toEqual(['/webhooks/hook msg_1']);
  });

  test('is refused with a retryable error if the store cannot be read, and handled if it cannot be written', async () => {
    const onError = vi.fn();
    const broken = () => Promise.reject(new Error('no store'));
    const deaf = quiet({ onError, store: { has: broken, add() {} } });
    deaf.addWebhook('hook', () => 'done');
    expect((await again(deaf)).status).toBe(500);
    const dumb = quiet({ onError, store: { has: () => false, add: broken } });
    dumb.addWebhook('hook', () => 'done');
    expect(await again(dumb)).toMatchObject({ status: 200, body: 'done' });
    expect(onError).toHaveBeenCalledTimes(2);
  });

  test('without an id cannot be recognized', async () => {
    const receiver = quiet();
    const handler = vi.fn();
    receiver.addWebhook('hook', handler);
    await post(receiver);
    await post(receiver);
    expect(handler).toHaveBeenCalledTimes(2);
  });
});

describe('a request that is no delivery is refused:', () => {
  const without = (...keys: string[]) =>
    JSON.stringify({
      ...payloadOf('discussion.comment.create'),
      ...Object.fromEntries(keys.map((key) => [key, undefined])),
    });

  test.each([
    ['no JSON', '{', 422, 'The body is not JSON.'],
    ['empty', '', 422, 'The body is not JSON.'],
    ['an array', '[]', 422, '`event` needs `scope` and `action`.'],
    ['null', 'null', 422, 'The body is not a JSON object.'],
    ['no event', without('event'), 422, '`event` needs `scope` and `action`.'],
    ['no repository', without('repo'), 422, '`repo` needs `type` and `name`.'],
    ['no webhook', without('webhook'), 422, '`webhook.version` is not 3.'],
    [
      'version 2',
      JSON.stringify(payloadOf('repo.update', { webhook: { id: 'a', version: 2 } })),
      422,
      '`webhook.version` is not 3.',
    ],
    ['no discussion', without('discussion'), 422, '`discussion` is missing.'],
    ['no comment', without('comment'), 422, '`comment` is missing.'],
    [
      'too long',
      JSON.stringify(payloadOf('repo.update', { more: 'x'.repeat(3000) })),
      413,
      'The body is longer than 2000 bytes.',
    ],
  ])('%s', async (_, body, status, error) => {
    const receiver = quiet({ maxBody: 2000 });
    const handler = vi.fn();
    receiver.addWebhook('hook', handler);
    expect(await post(receiver, { body })).toMatchObject({ status, body: { error } });
    expect(handler).not.toHaveBeenCalled();
  });

  test('after its secret was checked', async () => {
    const receiver = quiet();
    receiver.addWebhook('hook', () => 1);
    expect((await post(receiver, { headers: {}, body: '{' })).status).toBe(401);
  });
});

describe('the status page', () => {
  const page = (receiver: Receiver) => post(receiver, { path: '/webhooks', method: 'GET' });

  test('lists the endpoints, and says whether a secret is required', async () => {
    const receiver = quiet();
    receiver.addWebhook('one', () => 1);
    receiver.addWebhook('<two>', () => 2);
    const { status, body, headers } = await page(receiver);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(body).toContain('<code>POST /webhooks/one</code>');
    expect(body).toContain('<code>POST /webhooks/&#60;two&#62;</code>');
    expect(body).toContain('A secret is required.');
    expect(body).not.toContain('hush');
    expect((await page(quiet({ secret: [] }))).body).toContain('everybody may call them');
  });

  test('can be turned off', async () => {
    const receiver = quiet({ statusPage: false });
    receiver.addWebhook('one', () => 1);
    expect((await page(receiver)).status).toBe(404);
    receiver.on('*', () => {});
    expect((await page(receiver)).status).toBe(405);
  });
});

test('endpoints can be placed below another path', async () => {
  const receiver = quiet({ path: 'api/hooks/' });
  receiver.addWebhook('hook', () => 1);
  expect(receiver.endpoints()).toEqual(['/api/hooks/hook']);
  expect((await post(receiver, { path: '/api/hooks/hook?token=x' })).status).toBe(200);
  expect((await post(receiver)).status).toBe(404);
});

function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
