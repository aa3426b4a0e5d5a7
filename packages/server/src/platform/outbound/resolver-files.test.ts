import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { namesToAsk, parsedFile, parseHosts, parseSearchRules } from './resolver-files.ts';

test('resolv.conf without search asks for the name as it is', () => {
  expect(parseSearchRules('nameserver 192.0.2.1\n')).toEqual({ search: [], ndots: 1 });
});

test('the last search or domain line counts; comments and dots at the ends of domains do not', () => {
  expect(parseSearchRules('domain a.example\nsearch b.example. .  c.example # d.example\n;search e\n').search).toEqual([
    'b.example',
    'c.example',
  ]);
  expect(parseSearchRules('search a b\ndomain c.example\n').search).toEqual(['c.example']);
});

test('ndots is read among other options and is 15 at most', () => {
  expect(parseSearchRules('options timeout:1 ndots:5 edns0').ndots).toBe(5);
  expect(parseSearchRules('options ndots:99').ndots).toBe(15);
});

test.each([
  ['hook', 1, ['hook.a.example', 'hook.b.example', 'hook']],
  ['hook.example', 1, ['hook.example', 'hook.example.a.example', 'hook.example.b.example']],
  ['hook.team', 5, ['hook.team.a.example', 'hook.team.b.example', 'hook.team']],
  ['hook.', 5, ['hook']],
])('%s with ndots %i is asked for as %j', (host, ndots, names) => {
  expect(namesToAsk(host, { search: ['a.example', 'b.example'], ndots })).toEqual(names);
});

test('a hosts file gives each name all its addresses, in any letter case', () => {
  const hosts = parseHosts('127.0.0.1 localhost Box # me\n\n::1\tlocalhost\n127.0.0.1 localhost\n#10.0.0.1 gone\n');
  expect(Object.fromEntries(hosts)).toEqual({ localhost: ['127.0.0.1', '::1'], box: ['127.0.0.1'] });
});

test('a file is read again when it changes, appears or disappears', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'hosts');
  let parsed = 0;
  const read = parsedFile(path, (text) => {
    parsed += 1;
    return text;
  });
  expect(await read()).toBe('');
  writeFileSync(path, 'one');
  expect([await read(), await read()]).toEqual(['one', 'one']);
  writeFileSync(path, 'three');
  expect(await read()).toBe('three');
  rmSync(path);
  expect(await read()).toBe('');
  expect(parsed).toBe(4);
});
