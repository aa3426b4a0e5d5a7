import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nameServerOf, type Zone } from '../../../test/outbound/test-name-server.ts';
import { failure, outboundOf, receiverOf, to } from '../../../test/outbound/test-receiver.ts';
import { createNameLookup } from './name-lookup.ts';
import type { AskSystem } from './system-lookup.ts';

const notFound: AskSystem = (host) =>
  Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }));

/** Returns a look-up with a name server and files of the test, and the names that each of its sources was asked for. */
async function lookupIn(
  zone: Zone,
  given: { hosts?: string; resolvConf?: string; askSystem?: AskSystem; limitMs?: number; servers?: string[] } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'names-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [hostsFile, resolvConf] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  writeFileSync(hostsFile, given.hosts ?? '');
  writeFileSync(resolvConf, given.resolvConf ?? '');
  const { server, asked } = await nameServerOf(zone);
  const askedOfSystem: string[] = [];
  const resolve = createNameLookup({
    servers: given.servers ?? [server],
    hostsFile,
    resolvConf,
    limitMs: given.limitMs ?? 30_000,
    askSystem(host) {
      askedOfSystem.push(host);
      return (given.askSystem ?? notFound)(host);
    },
  });
  const addresses = async (host: string) => (await resolve(host)).map(({ address }) => address);
  return { resolve, addresses, asked, askedOfSystem, hostsFile };
}

const sentence = (lookup: Promise<unknown>) =>
  lookup.then(
    () => 'found',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );

test('IPv4 and IPv6 addresses alternate, each with its family', async () => {
  const { resolve, asked, askedOfSystem } = await lookupIn({ 'good.test': ['2606:4700::1', '1.1.1.1', '1.0.0.1'] });
  expect(await resolve('good.test')).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1', family: 6 },
    { address: '1.0.0.1', family: 4 },
  ]);
  expect(asked.sort()).toEqual(['A good.test', 'AAAA good.test']);
  expect(askedOfSystem).toEqual([]);
});

test('aliases are followed, one family of addresses is enough, and letter case does not matter', async () => {
  const { addresses } = await lookupIn({
    'www.test': { cname: 'edge.test' },
    'edge.test': { cname: 'node.test' },
    'node.test': ['2606:4700::1'],
  });
  expect(await addresses('WWW.test')).toEqual(['2606:4700::1']);
});

test('the look-up of a name that is an alias of itself fails', async () => {
  const { addresses } = await lookupIn({ 'loop.test': { cname: 'loop.test' } });
  expect(await sentence(addresses('loop.test'))).toMatch(/ENOTFOUND|could not be looked up/);
});

test('a name that ends in a dot is not completed', async () => {
  const { addresses, asked } = await lookupIn(
    { 'good.test': ['1.1.1.1'] },
    { resolvConf: 'search a.example\noptions ndots:5' },
  );
  expect(await addresses('good.test.')).toEqual(['1.1.1.1']);
  expect(asked.sort()).toEqual(['A good.test', 'AAAA good.test']);
});

test('short names are completed as resolv.conf says, as in a cluster', async () => {
  const { addresses, askedOfSystem } = await lookupIn(
    { 'hook.team.svc.cluster.local': ['10.0.0.7'], 'hook.team': ['1.1.1.1'], 'good.test': ['1.0.0.1'] },
    { resolvConf: 'search default.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5' },
  );
  expect(await addresses('hook.team')).toEqual(['10.0.0.7']);
  expect(await addresses('good.test')).toEqual(['1.0.0.1']);
  expect(askedOfSystem).toEqual([]);
});

test('if a completed name cannot be looked up, the look-up fails and tries no other name', async () => {
  const { addresses, askedOfSystem } = await lookupIn(
    { 'hook.inner.test': { rcode: 2 }, hook: ['1.1.1.1'] },
    { resolvConf: 'search inner.test' },
  );
  expect(await sentence(addresses('hook'))).toBe(
    'The name could not be looked up: hook (the name servers failed, SERVFAIL)',
  );
  expect(askedOfSystem).toEqual([]);
});

test('the hosts file comes first, even after it has changed', async () => {
  const { addresses, asked, hostsFile } = await lookupIn({}, { hosts: '192.0.2.7 box.test box' });
  expect(await addresses('box.test')).toEqual(['192.0.2.7']);
  writeFileSync(hostsFile, '192.0.2.99 box.test\nfe80::1%lo0 box.test');
  expect(await addresses('box.test.')).toEqual(['192.0.2.99', 'fe80::1%lo0']);
  expect(asked).toEqual([]);
});

test('localhost is this machine, without asking any name server', async () => {
  const { addresses, asked, askedOfSystem } = await lookupIn({});
  expect(await addresses('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(await addresses('hook.localhost')).toEqual(['127.0.0.1', '::1']);
  expect([...asked, ...askedOfSystem]).toEqual([]);
});

test('the system is asked for a name that the name servers do not know', async () => {
  const { addresses, askedOfSystem } = await lookupIn({}, { askSystem: async () => ['192.168.1.7'] });
  expect(await addresses('printer.local')).toEqual(['192.168.1.7']);
  expect(askedOfSystem).toEqual(['printer.local']);
});

test('without a name server, the system is asked for any name', async () => {
  const { addresses } = await lookupIn({}, { servers: ['127.0.0.1:1'], askSystem: async () => ['192.168.1.7'] });
  expect(await addresses('printer.test')).toEqual(['192.168.1.7']);
});

test('the system is asked for two names at a time, and not for one that waited too long', async () => {
  const answers: (() => void)[] = [];
  const { addresses, askedOfSystem } = await lookupIn(
    {},
    { limitMs: 1_500, askSystem: () => new Promise((answer) => answers.push(() => answer(['192.168.1.7']))) },
  );
  const lookups = ['a.test', 'b.test', 'c.test', 'd.test'].map((host) => sentence(addresses(host)));
  const late = 'The name could not be looked up: d.test (the name servers do not answer)';
  expect(await lookups[3]).toBe(late);
  expect(askedOfSystem.sort()).toHaveLength(2);
  for (const answer of answers) answer();
  await Promise.all(lookups);
  const after = addresses('e.test');
  await expect.poll(() => askedOfSystem.at(-1)).toBe('e.test');
  for (const answer of answers) answer();
  expect(await after).toEqual(['192.168.1.7']);
  expect(askedOfSystem).toHaveLength(3);
});

test.each<[string, Zone[string], string | RegExp]>([
  ['is unknown', { rcode: 3 }, 'ENOTFOUND'],
  ['has no address', [], 'ENOTFOUND'],
  ['fails', { rcode: 2 }, 'The name could not be looked up: x.test (the name servers failed, SERVFAIL)'],
  ['is refused', { rcode: 5 }, 'The name could not be looked up: x.test (the name servers refused, REFUSED)'],
  ['is not answered', 'silence', 'The name could not be looked up: x.test (the name servers do not answer)'],
  ['is answered with nonsense', 'garbage', /^The name could not be looked up: x.test \(the name servers /],
])('a name that %s is reported as such', async (_how, answer, expected) => {
  const { addresses } = await lookupIn({ 'x.test': answer }, { limitMs: typeof answer === 'string' ? 500 : 30_000 });
  expect(await sentence(addresses('x.test'))).toEqual(
    typeof expected === 'string' ? expected : expect.stringMatching(expected),
  );
});

test('a name that many ask for at once is looked up once, and again for the next caller', async () => {
  const { addresses, asked } = await lookupIn({ 'good.test': ['1.1.1.1'] });
  await Promise.all(Array.from({ length: 50 }, () => addresses('good.test')));
  expect(asked).toHaveLength(2);
  await addresses('good.test');
  expect(asked).toHaveLength(4);
});

test('50 look-ups that hang hold up neither another one nor the reading of files', async () => {
  const { addresses } = await lookupIn({ 'good.test': ['1.1.1.1'], ...hanging(50) }, { limitMs: 3_000 });
  const file = join(process.cwd(), 'package.json');
  const slow = Object.keys(hanging(50)).map((host) => sentence(addresses(host)));
  let hasOneEnded = false;
  void Promise.race(slow).then(() => {
    hasOneEnded = true;
  });
  expect(await addresses('good.test')).toEqual(['1.1.1.1']);
  expect(await readFile(file, 'utf8')).toBe(readFileSync(file, 'utf8'));
  expect(hasOneEnded).toBe(false);
  expect(new Set((await Promise.all(slow)).map((said) => said.replace(/slow\d+/, 'slow')))).toEqual(
    new Set(['The name could not be looked up: slow.test (the name servers do not answer)']),
  );
});

test('when one family of addresses is known, the other is not waited for long', async () => {
  const zone: Zone = { 'half.test': ['1.1.1.1'], 'AAAA half.test': 'silence' };
  const { addresses, asked } = await lookupIn(zone, { limitMs: 60_000 });
  expect(await addresses('half.test')).toEqual(['1.1.1.1']);
  // The second try would begin after two seconds.
  expect(asked.sort()).toEqual(['A half.test', 'AAAA half.test']);
});

test('a thousand addresses are read, and the first eight are tried', async () => {
  const port = await receiverOf((_request, response) => void response.end());
  const others = (count: number) => Array.from({ length: count }, (_, n) => `127.0.${n >> 7}.${(n & 127) + 2}`);
  const { resolve, addresses } = await lookupIn({
    'crowd.test': [...others(8), '127.0.0.1', ...others(991)],
    'eighth.test': [...others(7), '127.0.0.1', ...others(992)],
  });
  expect(new Set(await addresses('crowd.test')).size).toBe(992);
  const outbound = outboundOf({ resolve });
  expect(await outbound.post(to(`http://eighth.test:${port}/`))).toMatchObject({ status: 200 });
  expect(await outbound.post(to(`http://crowd.test:${port}/`))).toEqual(failure('Connection refused'));
});

test('only the admitted addresses of a name are tried, and a name without any is refused', async () => {
  let connections = 0;
  const port = await receiverOf((request, response) => {
    connections += 1;
    response.end(request.socket.localAddress);
  });
  const inner = Array.from({ length: 24 }, (_, n) => `10.0.0.${n + 1}`);
  const { resolve } = await lookupIn({ 'mixed.test': [...inner, '127.0.0.1', 'fd00::1'], 'inner.test': inner });
  const outbound = outboundOf({ resolve });
  expect(await outbound.post(to(`http://mixed.test:${port}/`))).toMatchObject({ status: 200, body: '127.0.0.1' });
  expect(await outbound.post(to(`http://inner.test:${port}/`))).toEqual(failure(/^Address not allowed: inner.test /));
  expect(connections).toBe(1);
});

test('a name with letters beyond ASCII is asked for in its ASCII form', async () => {
  const port = await receiverOf((request, response) => void response.end(request.headers.host));
  const { resolve, asked } = await lookupIn({ 'xn--mnchen-3ya.test': ['127.0.0.1'] });
  const result = await outboundOf({ resolve }).post(to(`http://münchen.test:${port}/`));
  expect(result).toMatchObject({ status: 200, body: `xn--mnchen-3ya.test:${port}` });
  expect(asked.sort()).toEqual(['A xn--mnchen-3ya.test', 'AAAA xn--mnchen-3ya.test']);
});

test('an unknown name fails the attempt with a readable error', async () => {
  const { resolve } = await lookupIn({});
  expect(await outboundOf({ resolve }).post(to('http://nobody.test/'))).toEqual(
    failure('Address not allowed: nobody.test (no public address was found for this name)'),
  );
});

function hanging(count: number): Zone {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`slow${n}.test`, 'silence']));
}
