import { connect } from 'node:net';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { startHub, type TestHub, tokenOf } from './harness.ts';
import { keepingLogger } from './logged-lines.ts';

type Line = Readonly<Record<string, unknown>>;

/** Starts a hub whose log is kept; `requests` resolves with its lines about requests, once there are as many. */
async function startLoggedHub(
  settings: Readonly<Record<string, string>> = {},
  level: Parameters<typeof keepingLogger>[0] = 'info',
) {
  const { lines, logger } = keepingLogger(level);
  const hub = await startHub(settings, { logger });
  const logged = (): Line[] => lines.map((line) => JSON.parse(line));
  const requests = async (count: number): Promise<Line[]> => {
    const found = () => logged().filter(({ msg }) => msg === 'request');
    await expect.poll(() => found().length).toBeGreaterThanOrEqual(count);
    return found();
  };
  return { hub, lines, logged, requests, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

/** Sends bytes to a hub and returns the response once the hub closes the connection. */
function sendRaw({ url }: Pick<TestHub, 'url'>, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text, 'latin1'));
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  return new Promise((resolve, reject) => socket.on('error', reject).on('close', () => resolve(answer)));
}

test('each request is a line: what was asked, how it was answered, by whom and from where', async () => {
  await using log = await startLoggedHub();
  const { hub, requests } = log;
  await hub.people('ada');
  await createRepo({ ...hub.as('ada'), repo: 'ada/letters' });
  const headers = { authorization: `Bearer ${tokenOf('ada')}`, 'x-request-id': 'seen-by-the-proxy' };
  const response = await fetch(`${hub.url}/api/models/ada/letters?expand=sha`, { headers });
  await response.text();
  await fetch(`${hub.url}/api/models/ada/nothing`, { headers });
  await fetch(`${hub.url}/api/no/such/route`);
  const [, created, found, missing, unknown] = await requests(5);
  expect(created).toMatchObject({
    level: 'info',
    role: 'all',
    method: 'POST',
    route: '/api/repos/create',
    status: 200,
  });
  expect(found).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    pid: process.pid,
    role: 'all',
    method: 'GET',
    route: '/api/{repoType}/{namespace}/{repo}',
    status: 200,
    ms: expect.any(Number),
    bytes: expect.any(Number),
    user: 'ada',
    token: tokenOf('ada').slice(-4),
    address: '127.0.0.1',
    requestId: 'seen-by-the-proxy',
    msg: 'request',
  });
  expect(Number(found?.bytes)).toBeGreaterThan(Number(response.headers.get('content-length')));
  expect(missing).toMatchObject({ route: '/api/{repoType}/{namespace}/{repo}', status: 404, user: 'ada' });
  expect(unknown).toMatchObject({ route: 'none', status: 404 });
  expect(unknown).not.toHaveProperty('user');
});

test('the bytes of a line are those of its own request, on a connection that several use', async () => {
  await using log = await startLoggedHub();
  const socket = connect(Number(new URL(log.hub.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  const ask = 'GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: always-as-long\r\n\r\n';
  for (const count of [1, 2, 3]) {
    socket.write(ask);
    await log.requests(count);
  }
  socket.destroy();
  const [first, second, third] = await log.requests(3);
  expect(second?.bytes).toBe(first?.bytes);
  expect(third?.bytes).toBe(first?.bytes);
  expect(answer.length).toBe(3 * Number(first?.bytes));
});

test('neither queries, codes in paths, credentials nor bodies are in the log', async () => {
  await using log = await startLoggedHub({}, 'trace');
  const { hub } = log;
  const secrets = ['hushInTheQuery', 'hushInThePath', 'hf_hushInTheHeader', 'hushInTheBody', 'hushInTheCookie'];
  const headers = { authorization: `Bearer ${secrets[2]}`, cookie: `session=${secrets[4]}` };
  await fetch(`${hub.url}/api/models?search=${secrets[0]}&token=${secrets[0]}`, { headers });
  await fetch(`${hub.url}/join/${secrets[1]}`);
  await fetch(`${hub.url}/api/links/${secrets[1]}`, { headers: { referer: `${hub.url}/join/${secrets[1]}` } });
  const body = JSON.stringify({ name: secrets[3], password: secrets[3] });
  await fetch(`${hub.url}/api/sign-in`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await log.requests(4);
  for (const secret of secrets) expect(log.lines.join('')).not.toContain(secret);
});

test('what a client sends cannot end a line, look like another one or reach a terminal', async () => {
  await using log = await startLoggedHub({ MOONBASE_TRUSTED_PROXIES: '127.0.0.1' }, 'trace');
  const forged = '\u001b[2J\u009b1m{"level":"fatal","msg":"forged"}';
  const hostile = [
    `User-Agent: ${forged}`,
    `X-Request-Id: ${forged}`,
    `X-Forwarded-For: ${forged.slice(1)}`,
    `Authorization: Bearer ${forged.replaceAll(' ', '')}`,
  ];
  for (const path of ['/api/models', '/api/%0a%1b%5b2J%22forged', '/%', '/api/a\u009bb\u0085c'])
    await sendRaw(
      log.hub,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${hostile.slice(2).join('\r\n')}\r\nConnection: close\r\n\r\n`,
    );
  await sendRaw(log.hub, `GET /api/models HTTP/1.1\r\nHost: localhost\r\n${hostile.join('\r\n')}\r\n\r\n`);
  await log.requests(4);
  for (const line of log.lines) expect(line).toMatch(/^\{"level":"(warn|info|debug)",\P{Cc}*\}\n$/u);
  expect(log.logged().filter(({ level }) => level === 'fatal')).toEqual([]);
});

test('requests that the server refuses before they reach a route are lines, too', async () => {
  await using log = await startLoggedHub();
  await sendRaw(log.hub, 'GET /%ZZ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await sendRaw(log.hub, 'no request at all\r\n\r\n');
  expect(await log.requests(2)).toMatchObject([
    { method: 'GET', route: 'none', status: 400, address: '127.0.0.1', requestId: expect.any(String) },
    { route: 'none', status: 400, address: '127.0.0.1', requestId: expect.any(String) },
  ]);
});

test('a client that leaves before it is answered is a line with the status 499', async () => {
  await using log = await startLoggedHub();
  const { hub } = log;
  const socket = connect(Number(new URL(hub.url).port), '127.0.0.1');
  const head = ['POST /api/repos/create HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${hub.admin.accessToken}`];
  socket.write([...head, 'Content-Type: application/json', 'Content-Length: 1000', '', '{"half":'].join('\r\n'));
  await new Promise<void>((resolve) => socket.once('connect', () => setTimeout(resolve, 50)));
  socket.destroy();
  expect(await log.requests(1)).toMatchObject([
    { route: '/api/repos/create', status: 499, aborted: true, user: 'admin' },
  ]);
});

test('probes are lines at the level debug, and a setting turns all lines of requests off', async () => {
  await using detailed = await startLoggedHub({}, 'debug');
  await fetch(`${detailed.hub.url}/health`);
  expect(await detailed.requests(1)).toMatchObject([{ level: 'debug', route: '/health', status: 200 }]);
  await using silent = await startLoggedHub({ MOONBASE_ACCESS_LOG: 'false' }, 'debug');
  await fetch(`${silent.hub.url}/api/nothing`);
  await using usual = await startLoggedHub();
  await fetch(`${usual.hub.url}/health`);
  await fetch(`${usual.hub.url}/api/nothing`);
  expect(await usual.requests(1)).toMatchObject([{ route: 'none' }]);
  expect(silent.logged().filter(({ msg }) => msg === 'request')).toEqual([]);
});
