import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createAddressGuard } from './address-guard.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

const GET = { method: 'GET', headers: {} };

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const { port } = address as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const anywhere = { admits: () => true };

test('a guarded fetch returns status, type and body, and follows no redirect', async () => {
  const asked: string[] = [];
  await using server = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url === '/away') return void response.writeHead(302, { location: '/there' }).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    request.pipe(response);
  });
  await using guarded = createGuardedFetch({ guard: anywhere });
  const echoed = await guarded.fetch(`${server.url}/echo?a=b`, { method: 'POST', headers: {}, body: '{"a":1}' });
  expect([echoed.status, echoed.headers.get('content-type'), await echoed.json()]).toEqual([
    200,
    'application/json',
    { a: 1 },
  ]);
  expect((await guarded.fetch(`${server.url}/away`, GET)).status).toBe(302);
  expect(asked).toEqual(['POST /echo?a=b', 'GET /away']);
});

test('a guarded fetch limits the size and the time of an answer', async () => {
  await using server = await serve((request, response) => {
    response.writeHead(200);
    if (request.url === '/endless') {
      const more = () => response.write('x'.repeat(1000)) && setImmediate(more);
      response.on('drain', more);
      more();
    } else response.write('the beginning');
  });
  await using guarded = createGuardedFetch({ guard: anywhere, maxBytes: 10_000, deadlineMs: 100 });
  await expect(guarded.fetch(`${server.url}/endless`, GET)).rejects.toThrow(/larger than 10000 bytes|Timed out/);
  await expect(guarded.fetch(`${server.url}/slow`, GET)).rejects.toThrow('Timed out after 0.1 s');
});

test('a guarded fetch refuses addresses that the guard denies, and URLs that are not plain web addresses', async () => {
  const guard = createAddressGuard({ allow: [], allowLoopback: false });
  await using guarded = createGuardedFetch({ guard });
  for (const url of ['http://127.0.0.1:1/', 'http://10.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/'])
    await expect(guarded.fetch(url, GET)).rejects.toThrow('Address not allowed');
  for (const url of ['file:///etc/passwd', 'https://a:b@example.com/'])
    await expect(guarded.fetch(url, GET)).rejects.toThrow(/^(Give|Remove)/);
});
