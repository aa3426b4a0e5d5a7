import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { runJob } from '@moonbase/client/jobs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../packages/server/src/config.ts';
import { startHub, type TestHub } from '../../packages/server/test/harness.ts';

/**
 * A developer runs a hub on their own machine and opens somebody else's web page, or puts the hub behind a plain proxy.
 * Neither the page nor the network reaches the hub, and commands run only on request.
 */

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await hub.people('alice');
});
afterAll(() => hub[Symbol.asyncDispose]());

type Headers = Readonly<Record<string, string>>;

function send(headers: Headers, method = 'GET', path = '/api/whoami-v2') {
  const { hostname, port, host } = new URL(hub.url);
  const authorization = `Bearer ${hub.admin.accessToken}`;
  return new Promise<{ status: number; cors: string[]; body: string }>((resolve, reject) => {
    request({ hostname, port, path, method, headers: { host, authorization, ...headers }, agent: false }, (answer) => {
      const cors = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, cors, body }), reject);
    })
      .on('error', reject)
      .end();
  });
}

const statusOf = async (...given: Parameters<typeof send>) => (await send(...given)).status;

describe('a page of another origin', () => {
  test.each([
    'https://evil.example',
    'http://evil.example',
    'null',
    'http://localhost:5173',
    'http://127.0.0.1',
    'https://127.0.0.1.evil.example',
    'file://',
  ])('is refused, even with the token of the administrator: %s', async (origin) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      for (const path of ['/api/whoami-v2', '/api/jobs/admin', '/nothing', '/']) {
        const { status, cors, body } = await send({ origin }, method, path);
        expect([status, cors]).toEqual([403, []]);
        if (method === 'GET')
          expect(JSON.parse(body)).toEqual({ error: expect.stringContaining('pages of other origins') });
      }
  });

  test('gets no permission by preflight, for any method or header', async () => {
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const { status, cors } = await send({ ...preflight, 'access-control-request-headers': 'authorization' }, 'OPTIONS');
    expect([status, cors]).toEqual([403, []]);
  });

  test('can read nothing, not even errors of malformed URLs', async () => {
    const { status, cors } = await send({ origin: 'https://evil.example' }, 'GET', '/api/users/%zz/overview');
    expect([status, cors]).toEqual([400, []]);
  });

  test.each(['cross-site', 'same-site'])('is refused if it sends no Origin, as for pictures: %s', async (site) => {
    for (const mode of ['no-cors', 'cors', 'websocket'])
      expect(await statusOf({ 'sec-fetch-site': site, 'sec-fetch-mode': mode })).toBe(403);
    // The page submits a form.
    expect(await statusOf({ 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }, 'POST')).toBe(403);
    // A user follows a link to the console.
    expect(await statusOf({ 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }, 'GET', '/docs')).toBe(200);
  });
});

test('pages of the hub itself and programs on this machine get answers', async () => {
  const own = hub.url;
  expect(await statusOf({ origin: own, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).toBe(200);
  expect(await statusOf({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).toBe(200);
  expect(await statusOf({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(200);
  expect(await statusOf({})).toBe(200);
  // A development server forwards requests unchanged.
  expect(await statusOf({ host: 'localhost:5173', origin: 'http://localhost:5173' })).toBe(200);
});

describe('proxied requests are refused', () => {
  test.each([
    ...['Forwarded', 'Via', 'CDN-Loop', 'True-Client-IP', 'X-Real-IP', 'X-Client-IP', 'X-Cluster-Client-IP'],
    ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Port', 'X-Forwarded-Server'],
    ...['X-Forwarded', 'X-Original-Host', 'X-Original-URL', 'X-Original-Forwarded-For', 'X-Envoy-External-Address'],
    ...['CF-Connecting-IP', 'CF-Ray', 'Fastly-Client-IP', 'Fly-Client-IP', 'X-Azure-ClientIP', 'X-Host'],
  ])('by %s', async (name) => {
    expect(await statusOf({ [name]: '127.0.0.1' })).toBe(403);
    expect(await statusOf({ [name.toUpperCase()]: '' })).toBe(403);
  });

  test('over HTTP/1.0, the only sign of nginx in its default configuration', async () => {
    const { hostname, port, host } = new URL(hub.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const token = `Authorization: Bearer ${hub.admin.accessToken}`;
    socket.end(`GET /api/whoami-v2 HTTP/1.0\r\nHost: ${host}\r\n${token}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('with a message that explains how to serve others', async () => {
    const { body } = await send({ via: '1.1 proxy' });
    expect(JSON.parse(body)).toEqual({ error: expect.stringContaining('set MOONBASE_PUBLIC_URL') });
  });

  test('request ids of clients and tracers do not count as signs of a proxy', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(await statusOf({ 'x-request-id': 'a', 'x-amzn-trace-id': 'b', traceparent })).toBe(200);
  });
});

describe('commands', () => {
  const run = (target: TestHub) =>
    runJob({
      ...target.admin,
      namespace: 'admin',
      job: { dockerImage: 'python:3.12', command: ['id'], flavor: 'cpu-basic' },
    });

  test('are not run unless the runner is set, and the refusal names the setting', async () => {
    const refusal = await run(hub).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 409, message: expect.stringContaining('MOONBASE_JOBS_RUNNER') });
  });

  test('are run by the runner `process` in development mode only', () => {
    expect(readConfig({}).jobs.runner).toBe('none');
    expect(readConfig({ MOONBASE_JOBS_RUNNER: 'process' }).jobs.runner).toBe('process');
    expect(readConfig({ MOONBASE_JOBS_RUNNER: 'process' }).warnings.join()).toMatch(/run with the rights of the hub/);
    for (const MOONBASE_HOST of ['0.0.0.0', '::', '192.0.2.1'])
      expect(() => readConfig({ MOONBASE_JOBS_RUNNER: 'process', MOONBASE_HOST })).toThrow(/development mode only/);
    const outside = { MOONBASE_JOBS_RUNNER: 'process', MOONBASE_PUBLIC_URL: 'https://hub.example' };
    expect(() => readConfig(outside)).toThrow(/development mode only/);
  });
});
