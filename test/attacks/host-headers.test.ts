import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHub, type TestHub } from '../../packages/server/test/harness.ts';

/**
 * A request names two hosts: a proxy in front of the hub would judge one of them, and the hub would believe the other.
 */

let hub: TestHub;
let proxied: TestHub;
beforeAll(async () => {
  hub = await startHub();
  proxied = await startHub({ MOONBASE_TRUSTED_PROXIES: '10.0.0.0/8' });
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await proxied[Symbol.asyncDispose]();
});

/** Sends headers, which may occur twice, and a request target as they are. */
function send({ url }: TestHub, path: string, headers: readonly (readonly [string, string])[]) {
  const { hostname, port } = new URL(url);
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    request({ hostname, port, path, headers: headers.flat(), setHost: false, agent: false }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
    })
      .on('error', reject)
      .end();
  });
}

const twoHosts = (first: string, second: string) => [['Host', first] as const, ['hOST', second] as const];
const MORE_THAN_ONE = { error: 'The request has more than one Host header' };

test.each(['/api/version', '/nothing', '/docs', '/api/organizations/acme/scim/v2/Users'])(
  'two Host headers are refused at %s',
  async (path) => {
    for (const hosts of [
      twoHosts('localhost', 'hub.example'),
      twoHosts('hub.example', 'localhost'),
      twoHosts('a', 'a'),
    ])
      for (const target of [hub, proxied]) {
        const { status, body } = await send(target, path, hosts);
        expect(status).toBe(400);
        expect(JSON.parse(body)).toMatchObject(
          path.includes('/scim/') ? { detail: MORE_THAN_ONE.error } : MORE_THAN_ONE,
        );
      }
  },
);

test('a Host header that differs from the host of the request URL is refused', async () => {
  for (const target of [hub, proxied])
    for (const path of ['http://hub.example/api/version', 'https://hub.example', 'HTTP://hub.example?a=b']) {
      const { status, body } = await send(target, path, [['Host', 'localhost']]);
      expect([path, status]).toEqual([path, 400]);
      expect(JSON.parse(body)).toEqual({
        error: 'The Host header and the URL of the request name different hosts',
      });
    }
});

test('an absolute URL as the request target means the same as its path', async () => {
  const scim = ['/api/organizations/acme/scim/v2/Users', 'http://localhost/api/organizations/acme/scim/v2/Users'];
  const [plain, whole] = await Promise.all(scim.map((path) => send(hub, path, [['Host', 'localhost']])));
  expect(whole).toEqual(plain);
  expect(await send(hub, 'http://LOCALHOST/api/version', [['Host', 'localhost']])).toMatchObject({ status: 200 });
  // In development mode the name of another machine stays refused in either form.
  expect(await send(hub, 'http://hub.example/api/version', [['Host', 'hub.example']])).toMatchObject({ status: 403 });
});
