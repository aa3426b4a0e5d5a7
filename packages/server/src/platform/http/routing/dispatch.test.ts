import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { createDispatch, type Served } from './dispatch.ts';
import { routeOf } from './matched-route.ts';
import { MAX_PARAMETER_LENGTH } from './route-table.ts';

/** Returns a route that responds with its path, the parameters and the body. */
const route = (method: Served['method'], path: string, more: Partial<Served> = {}): Served => ({
  ...{ method, path, body: 'json' },
  handle: async (request, _reply, params) => ({ path: routeOf(request)?.path, params, body: request.body }),
  ...more,
});

function serve(routes: readonly Served[], app: FastifyInstance = Fastify()) {
  const dispatch = createDispatch(app);
  for (const each of routes) dispatch.add(each);
  const json = async (method: Served['method'], url: string, payload?: object) =>
    (await app.inject({ method, url, ...(payload && { payload }) })).json();
  return { app, dispatch, json };
}

describe('a request', () => {
  test('reaches the route of its method and path, with decoded parameters and without its query', async () => {
    const { json } = serve([
      route('GET', '/api/{a}/{b}'),
      route('GET', '/api/{a}/fixed'),
      route('PUT', '/api/{a}/{b}'),
    ]);
    expect(await json('GET', '/api/x%2Fy/fixed?b=1')).toEqual({ path: '/api/{a}/fixed', params: { a: 'x/y' } });
    expect(await json('GET', '/api/x/y/')).toEqual({ path: '/api/{a}/{b}', params: { a: 'x', b: 'y' } });
    expect(await json('PUT', '/api/x/y', { c: 1 })).toMatchObject({ path: '/api/{a}/{b}', body: { c: 1 } });
  });

  test('to one of two hubs with equal routes reaches the handler of that hub', async () => {
    const [first, second] = ['first', 'second'].map((hub) =>
      serve([route('GET', '/hub', { handle: async () => [hub] })]),
    );
    expect([await first?.json('GET', '/hub'), await second?.json('GET', '/hub')]).toEqual([['first'], ['second']]);
  });

  test('reaches routes that were added after other requests', async () => {
    const { json, dispatch } = serve([route('GET', '/one')]);
    dispatch.add(route('GET', '/two'));
    expect(await json('GET', '/two')).toMatchObject({ path: '/two' });
  });

  test('with HEAD is served by the route of GET, without a body', async () => {
    const { app } = serve([route('GET', '/one')]);
    const [get, head] = [await app.inject('/one'), await app.inject({ method: 'HEAD', url: '/one' })];
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      get.headers['content-length'],
    ]);
  });

  test('to a path of a plugin reaches the plugin, even if the path matches a route as well', async () => {
    const app = Fastify();
    app.get('/assets/*', async (request) => ({ plugin: routeOf(request) === undefined }));
    const { json } = serve([route('GET', '/{namespace}/{repo}')], app);
    expect(await json('GET', '/assets/a.js')).toEqual({ plugin: true });
    expect(await json('GET', '/asset/a.js')).toMatchObject({ path: '/{namespace}/{repo}' });
  });

  test('without a route for its method or path gets 404, and one with a malformed path gets 400', async () => {
    expect((await serve([]).app.inject('/one')).statusCode).toBe(404);
    const { app } = serve([route('GET', '/one')]);
    for (const [method, url] of [
      ['POST', '/one'],
      ['OPTIONS', '/one'],
      ['GET', '/two'],
      ['GET', '/__proto__'],
    ] as const)
      expect([method, url, (await app.inject({ method, url })).statusCode]).toEqual([method, url, 404]);
    expect((await app.inject('/%zz')).statusCode).toBe(400);
  });

  test('with a parameter that is too long is refused, unless a wildcard takes it', async () => {
    const { app } = serve([route('GET', '/api/{name}'), route('GET', '/files/{rev}')]);
    const long = 'x'.repeat(MAX_PARAMETER_LENGTH + 1);
    const statuses = [`/api/${long.slice(1)}`, `/api/${long}`, `/files/${long}`].map((url) => app.inject(url));
    expect((await Promise.all(statuses)).map(({ statusCode }) => statusCode)).toEqual([200, 414, 200]);
    expect((await app.inject(`/api/${long}`)).json().message).toMatch(/^The URL is too long/);
  });
});

describe('the body of a request', () => {
  test('is read as its route says, even if routes share a path', async () => {
    const echo = {
      handle: async ({ body }: { body: unknown }) => (Buffer.isBuffer(body) ? { bytes: body.length } : body),
    };
    const { app } = serve([
      route('POST', '/one', echo),
      route('PUT', '/one', { ...echo, body: 'bytes' }),
      route('POST', '/two', { ...echo, body: 'fields' }),
      route('POST', '/three', { ...echo, body: 'repeated-fields' }),
      route('POST', '/four', { ...echo, bodyLimit: 4 }),
    ]);
    const form = 'application/x-www-form-urlencoded';
    const send = async (method: 'POST' | 'PUT', url: string, type: string, payload: string) => {
      const { statusCode, body } = await app.inject({ method, url, payload, headers: { 'content-type': type } });
      return statusCode === 200 ? JSON.parse(body) : statusCode;
    };
    expect([
      await send('POST', '/one', 'application/json', '{"a":1}'),
      await send('POST', '/one', form, 'a=1'),
      await send('PUT', '/one', 'text/csv', 'a,b'),
      await send('POST', '/two', form, 'a=1&b=2'),
      await send('POST', '/three', form, 'a=1&b=2&b=3'),
      await send('POST', '/four', 'application/json', '[]'),
      await send('POST', '/four', 'application/json', '[1,2]'),
    ]).toEqual([{ a: 1 }, 415, { bytes: 3 }, { a: '1', b: '2' }, { a: '1', b: ['2', '3'] }, [], 413]);
  });
});

test('the methods of a path are known, even if its routes name the parameters differently', () => {
  const { dispatch } = serve([route('GET', '/a/{b}'), route('DELETE', '/a/{c}'), route('PUT', '/a')]);
  expect(dispatch.at('/a/x').map(({ method }) => method)).toEqual(['GET', 'DELETE']);
  expect(dispatch.at('/b')).toEqual([]);
});
