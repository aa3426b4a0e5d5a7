import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { DENY_MATRIX, DISGUISED_HOSTS } from '../../../test/outbound/deny-matrix.ts';
import { failure, namesOf, outboundOf, receiverOf, to } from '../../../test/outbound/test-receiver.ts';
import { createAddressGuard } from './address-guard.ts';
import { guardedConnector } from './guarded-connector.ts';

const urlHost = (address: string) => (address.includes(':') ? `[${address}]` : address);

afterEach(() => vi.unstubAllEnvs());

test('every denied address is refused as the host of a URL', async () => {
  const outbound = outboundOf({ allowLoopback: false });
  for (const address of DENY_MATRIX.flatMap(({ first, last, inside = [] }) => [first, last, ...inside])) {
    expect(await outbound.post(to(`http://${urlHost(address)}:9/`)), address).toEqual(
      failure(/^Address not allowed: /),
    );
  }
});

test('every denied address is refused as the address of a name', async () => {
  for (const address of DENY_MATRIX.flatMap(({ first, last, inside = [] }) => [first, last, ...inside])) {
    const outbound = outboundOf({ allowLoopback: false, resolve: namesOf({ 'hook.example': [address] }) });
    expect(await outbound.post(to('http://hook.example:9/')), address).toEqual(
      failure('Address not allowed: hook.example (no public address was found for this name)'),
    );
    expect(await outbound.post(to('https://hook.example:9/')), address).toEqual(failure(/^Address not allowed: /));
  }
});

test.each(DISGUISED_HOSTS)('a denied address in disguise is refused: %s', async (host) => {
  const outbound = outboundOf({ allowLoopback: false });
  expect(await outbound.post(to(`http://${host}:9/`))).toEqual(failure(/^Address not allowed: /));
  expect(await outbound.post(to(`https://${host}:9/`))).toEqual(failure(/^Address not allowed: /));
});

test('the refusal of an address names the address', async () => {
  expect(await outboundOf().post(to('http://10.0.0.1/'))).toEqual(
    failure('Address not allowed: 10.0.0.1 (it is not a public address)'),
  );
});

test.each([
  ['http://[fe80::1%25eth0]/', /^Give a whole URL/],
  ['http://user:password@127.0.0.1/', /^Remove the user name/],
  ['file:///etc/passwd', /^Give a URL that begins with https/],
  ['no url', /^Give a whole URL/],
])('a URL that could not have been set fails with a readable error: %s', async (url, sentence) => {
  expect(await outboundOf().post(to(url))).toEqual(failure(sentence));
});

test('the connector itself refuses a denied literal', () => {
  const guard = createAddressGuard({ allow: [], allowLoopback: false });
  const connect = guardedConnector({ guard, resolve: namesOf({}), refusalMs: 0 });
  for (const hostname of ['127.0.0.1', '::1', '[::1]']) {
    expect(() => connect({ hostname, protocol: 'http:', port: '9' }, () => {})).toThrow(/^Address not allowed: /);
  }
});

test('localhost is judged by its addresses', async () => {
  const port = await receiverOf((_request, response) => void response.end());
  expect(await outboundOf({ allowLoopback: false }).post(to(`http://localhost:${port}/`))).toEqual(
    failure(/^Address not allowed: localhost /),
  );
  expect(await outboundOf().post(to(`http://localhost:${port}/`))).toMatchObject({ status: 200 });
});

test('the allow list admits what it names', async () => {
  const port = await receiverOf((_request, response) => void response.end());
  const outbound = outboundOf({ allowLoopback: false, allow: ['127.0.0.1/32'] });
  expect(await outbound.post(to(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200 });
  expect(await outbound.post(to(`http://[::ffff:127.0.0.1]:${port}/`))).not.toEqual(failure(/^Address not allowed/));
  expect(await outbound.post(to(`http://127.0.0.2:${port}/`))).toEqual(failure(/^Address not allowed: 127.0.0.2 /));
});

test('of the several addresses of a name only the admitted ones are used', async () => {
  const port = await receiverOf((request, response) => void response.end(request.socket.localAddress));
  const mixed = { 'hook.example': ['10.0.0.1', 'fd00::1', '127.0.0.1', '169.254.169.254'] };
  const result = await outboundOf({ resolve: namesOf(mixed) }).post(to(`http://hook.example:${port}/`));
  expect(result).toMatchObject({ status: 200, body: '127.0.0.1' });
});

test('a name is looked up once for a connection, and the address checked is the one connected to', async () => {
  const port = await receiverOf((request, response) => {
    response.setHeader('connection', 'close');
    response.end(request.socket.localAddress);
  });
  const answers = ['127.0.0.2', '127.0.0.1', '127.0.0.1'];
  const resolve = vi.fn(async () => [{ address: answers.shift() ?? '', family: 4 as const }]);
  // 127.0.0.2 plays the public address, 127.0.0.1 the loopback to which the name is bound again.
  const outbound = outboundOf({ allowLoopback: false, allow: ['127.0.0.2'], resolve });
  const first = await outbound.post(to(`http://hook.example:${port}/`));
  expect(resolve).toHaveBeenCalledTimes(1);
  // The receiver listens on 127.0.0.1 alone: a connection to 127.0.0.2 is refused, one to 127.0.0.1 would answer.
  expect(first).toEqual(failure('Connection refused'));
  expect(await outbound.post(to(`http://hook.example:${port}/`))).toEqual(failure(/^Address not allowed: /));
  expect(resolve).toHaveBeenCalledTimes(2);
});

test('a kept connection is used again without a look-up', async () => {
  const port = await receiverOf((_request, response) => void response.end());
  const resolve = vi.fn(namesOf({ 'hook.example': ['127.0.0.1'] }));
  const outbound = outboundOf({ resolve });
  await outbound.post(to(`http://hook.example:${port}/`));
  await nextTurn(); // undici takes a connection back one turn of the event loop after its answer
  expect(await outbound.post(to(`http://hook.example:${port}/`))).toMatchObject({ status: 200 });
  expect(resolve).toHaveBeenCalledTimes(1);
});

test.each([301, 302, 303, 307, 308])('a %i redirect is an answer and is not followed', async (status) => {
  let followed = false;
  const inner = await receiverOf((_request, response) => {
    followed = true;
    response.end();
  });
  const port = await receiverOf((_request, response) => {
    response.writeHead(status, { location: `http://127.0.0.1:${inner}/` }).end();
  });
  expect(await outboundOf().post(to(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'answered', status });
  expect(followed).toBe(false);
});

test('the proxy settings of the environment are ignored', async () => {
  let proxied = false;
  const proxy = await receiverOf((_request, response) => {
    proxied = true;
    response.end();
  });
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']) {
    vi.stubEnv(name, `http://127.0.0.1:${proxy}`);
  }
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  const port = await receiverOf((_request, response) => void response.end('direct'));
  expect(await outboundOf().post(to(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200, body: 'direct' });
  expect(proxied).toBe(false);
});
