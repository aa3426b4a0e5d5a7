import { readdirSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { createDiscussion } from '@moonbase/client/discussions';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { getAgentHarnesses, getHealth, getOpenApi, getReady, getVersion } from '@moonbase/client/service';
import { createWebhook } from '@moonbase/client/webhooks';
import { GIT_ERROR_TYPE } from '@moonbase/contract/content/git';
import type { RouteDeclaration } from '@moonbase/contract/route';
import { allRoutes } from '@moonbase/contract/routes';
import { Validator } from '@seriousme/openapi-schema-validator';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../src/platform/version.ts';
import { ask } from './ask.ts';
import { type Connection, startHub, type TestHub } from './harness.ts';
import { migrations } from './open-test-database.ts';
import { startReceiver } from './receiver.ts';

let hub: TestHub;
let alice: Connection;
beforeAll(async () => {
  hub = await startHub();
  await hub.people('alice');
  alice = hub.as('alice');
  await createRepo({ ...alice, repo: 'alice/letters' });
});
afterAll(() => hub[Symbol.asyncDispose]());

interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request as given; `fetch` would normalize the path and refuse some headers. */
function send(target: { url: string }, path: string, { method = 'GET', headers = {}, body }: RawRequest = {}) {
  const { hostname, port } = new URL(target.url);
  return new Promise<RawAnswer>((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, method, headers, agent: false }, (response) => {
      const status = response.statusCode ?? 0;
      text(response).then((received) => resolve({ status, headers: response.headers, text: received }), reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

const json = 'application/json';
const bearer = (connection: Connection) => ({ authorization: `Bearer ${connection.accessToken}` });
const statusOf = async (answer: Promise<Response>) => (await answer).status;
const HUB_ID = /^[\w.:=;-]{1,128}$/;

/** Expects the general form of errors, in JSON or in the media type of some paths. */
function expectError(answer: RawAnswer, status: number, type = json): void {
  expect(answer).toMatchObject({ status, headers: { 'content-type': expect.stringContaining(type) } });
  expectSentence(answer, type === GIT_ERROR_TYPE ? answer.text.trimEnd() : sentenceIn(JSON.parse(answer.text)));
}

/** Returns the sentence of an error of the API, of SCIM or of git LFS. */
const sentenceIn = ({ error, detail, message }: { error?: string; detail?: string; message?: string }): string =>
  error ?? detail ?? message ?? '';

function expectSentence(answer: RawAnswer, error: string): void {
  expect(error).toMatch(/\S/);
  expect(answer.headers['x-error-message']).toBe(error.replace(/[^\x20-\x7e]+/g, '?'));
  expect(answer.headers['x-request-id']).toMatch(HUB_ID);
}

describe('a request id', () => {
  const idFor = async (headers: Record<string, string>) =>
    (await send(hub, '/health', { headers })).headers['x-request-id'];

  test.each(['custom-id', '0af7651916cd43dd8448eb211c80319c', 'Root=1-67891233-abcdef;Parent=1', 'x'.repeat(128)])(
    'that is valid is kept: %s',
    async (id) => {
      expect(await idFor({ 'x-request-id': id })).toBe(id);
    },
  );

  test.each(['', 'a b', 'x'.repeat(129), 'a"b', '<script>', 'größe', 'a,b', '{}'])(
    'that is invalid is replaced: %j',
    async (id) => {
      const given = await idFor({ 'x-request-id': Buffer.from(id).toString('latin1') });
      expect(given).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('is created for each request without one, or taken from its trace', async () => {
    expect(await idFor({})).not.toBe(await idFor({}));
    expect(await idFor({ 'x-amzn-trace-id': 'trace-1' })).toBe('trace-1');
    expect(await idFor({ 'x-amzn-trace-id': 'trace-1', 'x-request-id': 'mine' })).toBe('mine');
  });

  test.each([
    ['a success', '/api/version', {}],
    ['an unknown path', '/nothing', {}],
    ['a wrong method', '/health', { method: 'POST' }],
    ['no token', '/api/whoami-v2', {}],
    ['a malformed URL', '/api/users/%zz/overview', {}],
    ['a malformed body', '/api/repos/create', { method: 'POST', headers: { 'content-type': json }, body: '{' }],
    ['the page of the reference', '/docs', {}],
    [
      'a preflight request',
      '/api/version',
      { method: 'OPTIONS', headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' } },
    ],
  ] as [string, string, RawRequest][])('is in every response: %s', async (_, path, given) => {
    const headers = { ...given.headers, 'x-request-id': 'mine' };
    expect((await send(hub, path, { ...given, headers })).headers['x-request-id']).toBe('mine');
  });
});

describe('an error', () => {
  test('is one sentence, in the body and, as one line of ASCII, in a header', async () => {
    const answer = await send(hub, '/api/repos/create', {
      method: 'POST',
      headers: { ...bearer(alice), 'content-type': json },
      body: JSON.stringify({ name: 'größe\r\nX-Evil: 日本' }),
    });
    expectError(answer, 400);
    expect(JSON.parse(answer.text)).toMatchObject({ error: expect.stringContaining('größe\r\nX-Evil: 日本') });
    expect(answer.headers['x-error-message']).toContain('gr?e?X-Evil: ?');
    expect(answer.headers).not.toHaveProperty('x-evil');
  });

  test('lists each error of an invalid request with its path', async () => {
    const answer = await ask(alice, 'POST /api/repos/create', { name: '', type: 'paper', private: 'yes' });
    expect(answer.status).toBe(400);
    const { error, issues } = (await answer.json()) as { error: string; issues: { path: string; message: string }[] };
    expect(issues.map(({ path }) => path)).toEqual(['body.name', 'body.type', 'body.private']);
    expect(error).toBe(`${issues[0]?.path}: ${issues[0]?.message}`);
  });

  test('for a caller without a valid token says how to send one', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer hf_unknownUnknown' },
      { authorization: 'Basic YWxpY2U6eA==' },
      { authorization: 'Bearer' },
      { authorization: alice.accessToken },
    ]) {
      const answer = await send(hub, '/api/whoami-v2', { headers });
      expectError(answer, 401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('for a caller with a valid token does not mention tokens', async () => {
    const answer = await send(hub, '/api/admin/hub', { method: 'PUT', headers: bearer(alice) });
    expectError(answer, 403);
    expect(answer.headers).not.toHaveProperty('www-authenticate');
  });

  test('reports a missing token first, then invalid form, then missing permission', async () => {
    const create = (headers: Record<string, string>, body: string, type = json) =>
      send(hub, '/api/repos/create', { method: 'POST', headers: { ...headers, 'content-type': type }, body });
    expect((await create({}, '{}')).status).toBe(401);
    expect((await create({}, '{')).status).toBe(401);
    expect((await create({}, 'name=x', 'application/x-www-form-urlencoded')).status).toBe(401);
    expect((await create({}, JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) }))).status).toBe(401);
    expect((await create(bearer(alice), '{"name":"nobody/x","type":"paper"}')).status).toBe(400);
    expect(
      (
        await send(hub, '/api/admin/hub', {
          method: 'PUT',
          headers: { ...bearer(alice), 'content-type': json },
          body: '{"users":1}',
        })
      ).status,
    ).toBe(400);
  });

  test('of the server reveals no internals and keeps its form', async () => {
    const secret = 'select everything from the vault';
    let broken = false;
    await using fragile = await startHub(
      { MOONBASE_LOG_LEVEL: 'silent' },
      {
        clock: {
          now() {
            if (broken) throw new Error(secret);
            return 1_767_614_400_000;
          },
          advance() {},
        },
        logger: pino({ level: 'silent' }),
      },
    );
    await fragile.people('alice');
    broken = true;
    const answer = await send(fragile, '/api/repos/create', {
      method: 'POST',
      headers: { ...bearer(fragile.as('alice')), 'content-type': json },
      body: '{"name":"letters"}',
    });
    broken = false;
    expectError(answer, 500);
    expect(JSON.stringify(answer)).not.toContain(secret);
  });
});

describe('a path', () => {
  test.each(['/nothing', '/api', '/api/nothing', '/api/model', '/api/collections/a/b/settings', '/docs/nothing'])(
    'that is unknown gets an error in JSON: %s',
    async (path) => {
      const answer = await send(hub, path);
      expectError(answer, 404);
      expect(answer.headers).not.toHaveProperty('x-error-code');
    },
  );

  test.each([
    ['GET', '/api/models/gpt2'],
    ['DELETE', '/api/models/gpt2/like'],
    ['GET', '/api/datasets/squad/tree/main/data'],
    ['HEAD', '/api/models/gpt2/revision/main'],
    ['POST', '/api/spaces/demo/branch/dev'],
    ['DELETE', '/api/buckets/box'],
    ['HEAD', '/gpt2/resolve/main/config.json'],
    ['GET', '/gpt2.git/info/refs?service=git-upload-pack'],
  ])(
    'with the name of a repository but no namespace says that there is no such repository: %s %s',
    async (method, path) => {
      for (const headers of [{}, bearer(alice)]) {
        const answer = await send(hub, path, { method, headers });
        expect(answer).toMatchObject({ status: 404, headers: { 'x-error-code': 'RepoNotFound' } });
      }
    },
  );

  test.each([
    ['POST', '/health', 'GET, HEAD'],
    ['DELETE', '/api/whoami-v2', 'GET, HEAD'],
    ['GET', '/api/repos/create', 'POST'],
    ['POST', '/api/repos/delete', 'DELETE'],
    ['POST', '/api/models/alice/letters/settings', 'GET, HEAD, PUT'],
    ['PATCH', '/api/buckets/alice/letters', 'GET, HEAD, POST, DELETE'],
    ['PATCH', '/api/models/alice/letters/branch/a/b', 'POST, DELETE'],
    ['GET', '/api/admin/hub?x=1', 'PUT'],
    ['PROPFIND', '/api/version', 'GET, HEAD'],
  ])('requested with a wrong method lists the right ones: %s %s', async (method, path, allowed) => {
    const answer = await send(hub, path, { method });
    expectError(answer, 405);
    expect(answer.headers.allow).toBe(allowed);
  });

  test.each(['/api/users/%zz/overview', '/api/users/%/overview', '/api/models/alice/letters/branch/%E0%A4%A'])(
    'with a broken percent sign is refused: %s',
    async (path) => {
      expectError(await send(hub, path, { headers: bearer(alice) }), 400);
    },
  );

  test.each(['/api/users/a%00b/overview', '/api/users/alice/overview?x=%00', '/%00'])(
    'with a NUL is refused: %s',
    async (path) => {
      expectError(await send(hub, path, { headers: bearer(alice) }), 400);
    },
  );

  test('may end in a slash, and HEAD returns no body', async () => {
    expect((await send(hub, '/health/')).status).toBe(200);
    const head = await send(hub, '/api/version', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-type': expect.stringContaining(json) } });
    expect((await send(hub, '/api/whoami-v2', { method: 'HEAD' })).status).toBe(401);
    expect((await send(hub, '/api/repos/create', { method: 'HEAD' })).status).toBe(405);
  });
});

describe('a body', () => {
  const create = (body: string, type = json) =>
    send(hub, '/api/repos/create', { method: 'POST', headers: { ...bearer(alice), 'content-type': type }, body });

  test.each(['{', '{"name":"x"', 'name=x', '{"name":"x",}', "{'name':'x'}", '\u0000', '{"name":"a\nb"}', '[1'])(
    'that is not JSON is refused: %j',
    async (body) => {
      const answer = await create(body);
      expectError(answer, 400);
      expect(answer.text).toContain('The body is not valid JSON');
    },
  );

  test.each([
    '[]',
    '"x"',
    '1',
    'true',
    '{"name":"x","__proto__":{"a":1}}',
    '{"name":"x","constructor":{"prototype":1}}',
  ])('that is JSON of another form is refused: %s', async (body) => {
    expectError(await create(body), 400);
  });

  test.each(['{"name":"a\\u0000b"}', '{"name":"x","a\\u0000":1}', '{"name":"\\\\\\u0000"}'])(
    'with a NUL in it is refused: %s',
    async (body) => {
      expectError(await create(body), 400);
    },
  );

  test('may mention NUL without containing one', async () => {
    const title = 'What \\u0000 is';
    expect(await statusOf(ask(alice, 'POST /api/models/alice/letters/discussions', { title, description: '' }))).toBe(
      200,
    );
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'nonsense',
  ])('of the type %s is refused', async (type) => {
    expectError(await create('{"name":"x"}', type), 415);
  });

  test('without a media type is refused, and parameters of the type are accepted', async () => {
    const untyped = await send(hub, '/api/repos/create', {
      method: 'POST',
      headers: { ...bearer(alice), 'content-length': '12' },
      body: '{"name":"x"}',
    });
    expectError(untyped, 415);
    expect((await create('{"name":"typed"}', 'Application/JSON; charset=utf-8')).status).toBe(200);
  });

  test('of more than 1 MiB is refused, with or without Content-Length', async () => {
    const body = JSON.stringify({ title: 'Large', description: 'x'.repeat(1024 * 1024) });
    const path = '/api/models/alice/letters/discussions';
    const headers = { ...bearer(alice), 'content-type': json };
    const told = { ...headers, 'content-length': String(body.length) };
    expectError(await send(hub, path, { method: 'POST', headers: told, body }), 413);
    const chunked = { ...headers, 'transfer-encoding': 'chunked' };
    expectError(await send(hub, path, { method: 'POST', headers: chunked, body }), 413);
  });

  test.each(['', '  \n'])('that is empty (%j) counts as none, with a type and without', async (body) => {
    await createDiscussion({ ...alice, type: 'model', repo: 'alice/letters', title: 'Hello', description: '' });
    const branch = (name: string, headers: Record<string, string>) =>
      send(hub, `/api/models/alice/letters/branch/empty-${body.length}-${name}`, {
        method: 'POST',
        headers: { ...bearer(alice), ...headers },
        body,
      });
    expect((await branch('typed', { 'content-type': json })).status).toBe(200);
    expect((await branch('told', { 'content-type': json, 'content-length': String(body.length) })).status).toBe(200);
    if (body === '') expect((await branch('untyped', {})).status).toBe(200);
  });

  test('may be sent with DELETE, whether it is needed or not', async () => {
    const remove = (path: string, body?: string) =>
      send(hub, path, {
        method: 'DELETE',
        headers: {
          ...bearer(alice),
          'content-type': json,
          ...(body !== undefined && { 'content-length': String(body.length) }),
        },
        ...(body !== undefined && { body }),
      });
    for (const name of ['one', 'two', 'three']) await createRepo({ ...alice, type: 'bucket', repo: `alice/${name}` });
    expect((await remove('/api/repos/delete', '{"name":"one","type":"bucket"}')).status).toBe(200);
    expect((await remove('/api/buckets/alice/two', '{"anything":true}')).status).toBe(200);
    expect((await remove('/api/buckets/alice/three')).status).toBe(200);
  });

  test('may have unknown fields', async () => {
    expect(await statusOf(ask(alice, 'POST /api/repos/create', { name: 'extended', license: 'mit', x: [] }))).toBe(200);
  });
});

describe('pages of other origins', () => {
  const origin = 'https://console.example';
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startHub({ MOONBASE_PUBLIC_URL: 'https://hub.example' });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  test('may read answers and the headers that matter, without credentials', async () => {
    for (const path of ['/api/version', '/api/whoami-v2', '/nothing']) {
      const { headers } = await send(hub, path, { headers: { origin } });
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']?.split(/, */)).toEqual([
        'Link',
        'X-Request-Id',
        'X-Error-Code',
        'X-Error-Message',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'X-Repo-Commit',
        'X-Total-Count',
        'ETag',
        'Accept-Ranges',
        'Content-Range',
        'X-Linked-Size',
        'X-Linked-ETag',
      ]);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'may send a preflight request for %s with a token',
    async (method) => {
      const answer = await send(hub, '/api/repos/create', {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization, content-type',
        },
      });
      expect(answer).toMatchObject({ status: 204, text: '' });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['access-control-allow-methods']).toContain(method);
      expect(answer.headers['access-control-allow-headers']?.toLowerCase()).toContain('authorization');
      expect(answer.headers['access-control-allow-headers']?.toLowerCase()).toContain('content-type');
    },
  );

  test('that send an incomplete preflight request get a normal error', async () => {
    const answer = await send(hub, '/api/version', { method: 'OPTIONS' });
    expect(answer.status === 204 || answer.headers['content-type']?.startsWith(json)).toBe(true);
  });
});

describe('the service', () => {
  const anybody = () => ({ hubUrl: hub.url });

  test('reports health, readiness, version and known harnesses (none) to anybody', async () => {
    expect(await getHealth(anybody())).toEqual({ status: 'ok' });
    expect(await getReady(anybody())).toEqual({ status: 'ok' });
    const newest = readdirSync(migrations)
      .filter((file) => /^\d{4}-[a-z-]+\.sql$/.test(file))
      .sort()
      .at(-1);
    expect(await getVersion(anybody())).toEqual({ version: VERSION, schema: newest?.replace('.sql', '') });
    expect(await getAgentHarnesses(anybody())).toEqual({ standardEnvVars: [], harnesses: {} });
  });

  test('requires a token for everything else, except for papers, pictures, the reference, leaked tokens, signed addresses, tokens of Xet, links, signing in, OAuth and checks of metadata', () => {
    const open = allRoutes.filter((route) => route.authority === 'public').map((route) => route.id);
    expect(open.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'beginDeviceLogin',
      'beginSingleSignOn',
      'completeLargeFile',
      'confirmEmail',
      'endProviderSessions',
      'exchangeForTokens',
      'findXetChunk',
      'finishSingleSignOn',
      'getAgentHarnesses',
      'getAuthorizationServer',
      'getAvatar',
      'getGeneratedAvatar',
      'getHealth',
      'getLargeFile',
      'getLink',
      'getOpenApi',
      'getOpenidConfiguration',
      'getOrganizationAvatar',
      'getPaper',
      'getPaperText',
      'getReady',
      'getSigningKeys',
      'getSignInMethods',
      'getUnsubscribePage',
      'getUploadedAvatar',
      'getUserAvatar',
      'getVersion',
      'getXetFileChanges',
      'getXetRange',
      'getXetReconstruction',
      'getXetReconstructions',
      'getXetReconstructionV2',
      'postXetTelemetry',
      'putLargeFile',
      'requestReset',
      'revokeCredentials',
      'revokeOauthToken',
      'setUpSecondFactor',
      'signIn',
      'signInSecondStep',
      'signInWithToken',
      'signOut',
      'signUp',
      'unsubscribe',
      'uploadShard',
      'uploadShardWithProgress',
      'uploadXorb',
      'useLink',
      'validateCard',
    ]);
  });

  test('a method that no route has is answered with 405, whatever its body', async () => {
    expectError(await send(hub, '/api/version', { method: 'QUERY' }), 405);
    expectError(await send(hub, '/api/version', { method: 'POST', headers: { 'content-type': 'text/plain' } }), 405);
  });

  // What is open to strangers is tried in `test/attacks/strangers.test.ts`.
  const closed = allRoutes.filter((route) => route.authority !== 'public' && !route.anonymous);
  test.each(closed)('$id ($method $path) answers 401 without a token', async ({ method, path, media }) => {
    const words: Record<string, string> = { repoType: 'models', perms: 'read', action: 'enable' };
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '1');
    const answer = await send(hub, url, { method });
    expectError(answer, 401, media?.type);
    // Clients take a repository for missing by this code alone.
    expect(answer.headers['x-error-code']).toBe(path.includes('/{namespace}/{repo}') ? 'RepoNotFound' : undefined);
  });

  test('a wrong token has no code: clients must not take the repository for missing', async () => {
    for (const path of ['/api/models/alice/letters', '/alice/letters/resolve/main/README.md']) {
      const answer = await send(hub, path, { headers: { authorization: 'Bearer hf_unknownUnknown' } });
      expect(answer).toMatchObject({ status: 401, text: expect.stringContaining('Invalid credentials') });
      expect(answer.headers).not.toHaveProperty('x-error-code');
    }
  });
});

test('the reference is a page of the console, which loads nothing from other hosts', async () => {
  const page = await send(hub, '/docs');
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toMatch(/^text\/html/);
  expect(page.headers['content-security-policy']).toMatch(
    /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']+'; .*connect-src 'self'; base-uri 'none'/,
  );
  expect(page.text).not.toMatch(/https?:|["'(]\/\//);
});

describe('the OpenAPI document', () => {
  interface Operation {
    operationId: string;
    security?: object[];
    parameters: { name: string; in: string; required: boolean; schema: object }[];
    requestBody?: { required: boolean; content: Record<string, { schema: object }> };
    responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
  }
  interface Document {
    openapi: string;
    info: { version: string };
    servers: { url: string }[];
    security: object[];
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
  }
  let document: Document;
  beforeAll(async () => {
    document = (await getOpenApi({ hubUrl: hub.url })) as unknown as Document;
  });
  const operationOf = ({ path, method }: RouteDeclaration) => document.paths[path]?.[method.toLowerCase()] as Operation;

  test('is compressed for those who accept it, and sent once', async () => {
    const path = '/.well-known/openapi.json';
    const get = (headers: Record<string, string>) =>
      fetch(hub.url + path, { headers: { 'accept-encoding': 'identity', ...headers } });
    const plain = await get({});
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toContain('Accept-Encoding');
    const text = await plain.text();
    for (const accepted of ['gzip', 'br, GZIP;q=0.5', 'deflate, x-gzip']) {
      const compressed = await get({ 'accept-encoding': accepted });
      expect([accepted, compressed.headers.get('content-encoding')]).toEqual([accepted, 'gzip']);
      expect(await compressed.text()).toBe(text);
    }
    for (const accepted of ['gzip;q=0', 'gzip; q=0.00', 'br', 'gzippo'])
      expect((await get({ 'accept-encoding': accepted })).headers.get('content-encoding')).toBeNull();
    const tag = plain.headers.get('etag') ?? '';
    expect((await get({ 'if-none-match': tag })).status).toBe(304);
    expect((await get({ 'if-none-match': 'W/"other"' })).status).toBe(200);
    expect((await fetch(hub.url + path, { method: 'HEAD' })).status).toBe(200);
  });

  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document) as never);
    expect(result).toEqual({ valid: true });
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '0.0.1' }, servers: [{ url: hub.url }] });
  });

  test('has every operation that the hub serves, and no other', () => {
    const found = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    );
    const declared = allRoutes.map(({ id, method, path }) => `${id} ${method} ${path}`);
    expect(found.toSorted((a, b) => a.localeCompare(b))).toEqual(declared.toSorted((a, b) => a.localeCompare(b)));
    expect(new Set(allRoutes.map(({ id }) => id)).size).toBe(allRoutes.length);
  });

  test('has no dangling references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target);
    expect(references.length).toBeGreaterThan(10);
    const held = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(references.filter((target) => !held.includes(target))).toEqual([]);
    expect(document.components.securitySchemes).toHaveProperty('bearerAuth', expect.objectContaining({ type: 'http' }));
    expect(document.security).toEqual([{ bearerAuth: [] }]);
  });

  test.each(allRoutes)('is complete for $id ($method $path)', (route) => {
    const operation = operationOf(route);
    const named = (where: string) => operation.parameters.filter((each) => each.in === where).map(({ name }) => name);
    expect(named('path')).toEqual(Object.keys(route.params?.shape ?? {}));
    expect(named('query')).toEqual(Object.keys(route.query?.shape ?? {}));
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(new Set(inPath)).toEqual(new Set(named('path')));
    expect(operation.parameters.filter((each) => each.in === 'path' && !each.required)).toEqual([]);

    const promised = [...Object.keys(route.answers), ...Object.keys(route.otherAnswers ?? {})];
    const refusals = [
      ...(route.authority === 'public' ? [] : ['401', '403']),
      ...(route.params || route.query || route.body ? ['400'] : []),
      ...(route.params || route.authority === 'repo.write' ? ['404'] : []),
      ...(route.body || route.rawBody ? ['413', '415'] : []),
    ];
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([...promised, ...refusals]));
    const optional = route.anonymous && [{ bearerAuth: [] }, {}];
    expect(operation.security).toEqual(route.authority === 'public' ? [] : optional);
    expect(operation.requestBody !== undefined).toBe((route.body ?? route.rawBody) !== undefined);
    for (const status of Object.keys(route.answers))
      expect(operation.responses[status]?.content).toHaveProperty([json, 'schema']);
    const error = `#/components/schemas/${route.media?.error.meta()?.id ?? 'Error'}`;
    const schema = route.media?.type === GIT_ERROR_TYPE ? { type: 'string' } : { $ref: error };
    for (const status of refusals)
      expect(operation.responses[status]?.content).toEqual({
        [route.media?.type ?? json]: { schema },
      });
  });

  test('says that avatars need a token unless they are requested as a picture', () => {
    for (const id of ['getUserAvatar', 'getOrganizationAvatar']) {
      const route = allRoutes.find((each) => each.id === id)!;
      expect(Object.keys(operationOf(route).responses)).toEqual(expect.arrayContaining(['200', '302', '401', '404']));
    }
  });
});

describe('in development mode', () => {
  test.each(['localhost', 'localhost:7780', 'LOCALHOST', '127.0.0.1', '127.1.2.3:80', '[::1]:7780'])(
    'the host %s is answered',
    async (host) => {
      expect((await send(hub, '/api/version', { headers: { host } })).status).toBe(200);
    },
  );

  test.each([
    'hub.example',
    'localhost.hub.example',
    '127.0.0.1.hub.example',
    'hub.example:7780',
    '10.0.0.1',
    '0.0.0.0',
    '1270.0.0.1',
    'localhost@hub.example',
  ])('the host %s is refused: it may belong to a page that rebinds its name', async (host) => {
    expectError(await send(hub, '/api/version', { headers: { host } }), 403);
    expectError(await send(hub, '/nothing', { headers: { host } }), 403);
    expectError(await send(hub, '/docs', { headers: { host } }), 403);
  });

  test.each([
    ['Forwarded', 'for=10.0.0.1'],
    ['X-Forwarded-For', '10.0.0.1'],
    ['X-Forwarded-Host', 'localhost'],
    ['X-Forwarded-Proto', 'https'],
  ])('a request that went through a proxy is refused: %s', async (name, value) => {
    expectError(await send(hub, '/api/version', { headers: { [name]: value } }), 403);
  });
});

describe('behind a proxy', () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'hub.example', 'x-forwarded-for': '10.1.2.3' };
  const created = async (target: TestHub, name: string, headers: Record<string, string>) => {
    const answer = await send(target, '/api/repos/create', {
      method: 'POST',
      headers: { ...bearer(target.as('alice')), 'content-type': json, ...headers },
      body: JSON.stringify({ name }),
    });
    expect(answer.status).toBe(200);
    return (JSON.parse(answer.text) as { url: string }).url;
  };

  test('that is trusted, forwarded headers count', async () => {
    await using proxied = await startHub({ MOONBASE_TRUSTED_PROXIES: '10.0.0.0/8,127.0.0.0/8' });
    await proxied.people('alice');
    expect(await created(proxied, 'one', forwarded)).toBe('https://hub.example/alice/one');
    expect(await created(proxied, 'two', { host: 'other.example' })).toBe('http://other.example/alice/two');
  });

  test('that is not trusted, forwarded headers are ignored', async () => {
    await using proxied = await startHub({ MOONBASE_TRUSTED_PROXIES: '10.0.0.0/8' });
    await proxied.people('alice');
    expect(await created(proxied, 'one', forwarded)).toBe(`${proxied.url}/alice/one`);
  });
});

describe('with a public URL', () => {
  test.each(['https://hub.example/moon', 'https://hub.example/moon/'])(
    'every absolute URL begins with it: %s',
    async (given) => {
      await using receiver = await startReceiver();
      await using home = await startHub({ MOONBASE_PUBLIC_URL: given, MOONBASE_OUTBOUND_ALLOW: '127.0.0.0/8' });
      await home.people('alice');
      const caller = home.as('alice');
      const { webhook } = await createWebhook({
        ...caller,
        webhook: { url: receiver.url, watched: [{ type: 'user', name: 'alice' }], domains: ['repo', 'discussion'] },
      });
      const urls = [(await createRepo({ ...caller, repo: 'alice/letters' })).url];
      const open = () =>
        createDiscussion({ ...caller, type: 'model', repo: 'alice/letters', title: 'Hello', description: '' });
      for (let at = 0; at < 10; at++) urls.push((await open()).url);
      urls.push((await whoAmI(caller)).avatarUrl);
      await home.drain();
      const { payload } = receiver.received.find((each) => each.payload.discussion) ?? {};
      urls.push(payload?.repo.url.web ?? '', payload?.repo.url.api ?? '', payload?.discussion?.url.web ?? '');
      const logs = await ask(caller, `GET /api/settings/webhooks/${webhook.id}/logs?limit=10`);
      urls.push(logs.headers.get('link')?.replace(/^<|>.*$/g, '') ?? '');
      const redirect = await ask(caller, 'GET /api/users/alice/avatar?redirect');
      urls.push(redirect.headers.get('location') ?? '');
      const [server] = (await getOpenApi({ hubUrl: home.url })).servers as { url: string }[];
      expect(server).toEqual({ url: 'https://hub.example/moon' });
      expect(urls.filter((url) => !/^https:\/\/hub\.example\/moon\/[a-z]/.test(url))).toEqual([]);
      expect(urls).toContain('https://hub.example/moon/alice/letters/discussions/1');
    },
  );

  test('the hub accepts any Host header and trusts none', async () => {
    await using home = await startHub({ MOONBASE_PUBLIC_URL: 'https://hub.example' });
    const answer = await send(home, '/.well-known/openapi.json', { headers: { host: 'evil.example' } });
    expect(JSON.parse(answer.text)).toMatchObject({ servers: [{ url: 'https://hub.example' }] });
  });
});
