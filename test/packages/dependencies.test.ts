import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moonbase-dependencies-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const GOOD: Locked = { version: '1.0.0', license: 'MIT', integrity: 'sha512-abc' };
const NOTHING_KNOWN = { auditReportVersion: 2, vulnerabilities: {} };
const known = (severity: string) => ({
  auditReportVersion: 2,
  vulnerabilities: {
    left: { name: 'left', severity, via: [{ title: 'It pads too much', url: 'https://advisories.example/1' }] },
  },
});

/** Checks a lock file of these packages while `npm audit` prints `audit`. */
function check(packages: Record<string, Locked>, audit: unknown = NOTHING_KNOWN) {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
  writeFileSync(join(folder, 'answer'), typeof audit === 'string' ? audit : JSON.stringify(audit));
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncat '${join(folder, 'answer')}'\nexit 1\n`);
  chmodSync(join(folder, 'npm'), 0o755);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/check-dependencies.mjs', folder], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
  });
  return { status, said: stdout + stderr };
}

describe('the check of dependencies', () => {
  test.each<[string, Locked, RegExp]>([
    ['a missing hash', { version: '1.0.0', license: 'MIT' }, /left has no sha512 integrity hash/],
    ['a weak hash', { ...GOOD, integrity: 'sha1-abc' }, /left has no sha512 integrity hash/],
    ['a missing hash of a tool', { version: '1.0.0', dev: true }, /left has no sha512 integrity hash/],
    ['a source without TLS', { ...GOOD, resolved: 'http://packages.example/left.tgz' }, /fetched without TLS/],
    ['a licence that is not allowed', { ...GOOD, license: 'GPL-3.0' }, /left@1\.0\.0 has the licence GPL-3\.0/],
    ['no licence', { version: '1.0.0', integrity: 'sha512-abc' }, /has the licence none/],
    [
      'two licences, one of them not allowed',
      { ...GOOD, license: 'MIT AND GPL-3.0' },
      /has the licence MIT AND GPL-3\.0/,
    ],
  ])('fails for %s', (_, locked, said) => {
    expect(check({ 'node_modules/left': locked })).toEqual({ status: 1, said: expect.stringMatching(said) });
  });

  test.each([
    ['a choice that includes an allowed licence', { ...GOOD, license: '(MIT OR GPL-3.0)' }],
    ['any licence of a tool', { ...GOOD, license: 'GPL-3.0', dev: true }],
  ])('passes %s', (_, locked) => {
    expect(check({ 'node_modules/left': locked, 'packages/own': {}, 'node_modules/own': { link: true } })).toEqual({
      status: 0,
      said: expect.stringContaining('1 locked packages have an integrity hash'),
    });
  });

  test.each([
    ['high', 1],
    ['critical', 1],
    ['moderate', 0],
    ['low', 0],
  ])('reports a vulnerability of severity %s and exits with %d', (severity, status) => {
    const found = check({ 'node_modules/left': GOOD }, known(severity));
    expect(found).toEqual({
      status,
      said: expect.stringContaining(`left is vulnerable (${severity}): It pads too much https://advisories.example/1`),
    });
  });

  test.each([
    ['does not know the request', { message: '405 Method Not Allowed', statusCode: 405, error: {} }],
    ['cannot be reached', { error: { code: 'ENOTFOUND', summary: 'request failed' } }],
    ['says nothing', ''],
  ])('reports missing advisories and passes if the registry %s', (_, answer) => {
    expect(check({ 'node_modules/left': GOOD }, answer)).toEqual({
      status: 0,
      said: expect.stringContaining('Not looked up: vulnerabilities'),
    });
  });
});

test('the bill of materials lists every shipped package, and no tool', () => {
  const file = join(folder, 'bom.json');
  const { status, stderr } = spawnSync(process.execPath, ['scripts/sbom.mjs', file], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const bom = JSON.parse(readFileSync(file, 'utf8'));
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: expect.stringMatching(/^1\.[5-9]$/),
    serialNumber: expect.stringMatching(/^urn:uuid:/),
    metadata: { component: { name: 'moonbase', type: 'application', version: expect.any(String) } },
  });
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked & { name?: string }>;
  };
  const named = Object.entries(lock.packages)
    .filter(([path, { link }]) => path !== '' && !link)
    .map(([path, { name, version, dev }]) => ({ id: `${name ?? path.split('node_modules/').at(-1)}@${version}`, dev }));
  const listed = new Set((bom.components as { name: string; version: string }[]).map((c) => `${c.name}@${c.version}`));
  const shipped = new Set(named.filter(({ dev }) => !dev).map(({ id }) => id));
  expect([...shipped].filter((id) => !listed.has(id))).toEqual([]);
  expect([...listed].filter((id) => !shipped.has(id))).toEqual([]);
  expect(shipped.size).toBeGreaterThan(100);
  const fastify = bom.components.find(({ name }: { name: string }) => name === 'fastify');
  expect(fastify).toMatchObject({
    purl: `pkg:npm/fastify@${fastify.version}`,
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-512' }],
  });
  const references = new Set([bom.metadata.component, ...bom.components].map((each) => each['bom-ref']));
  for (const { ref, dependsOn } of bom.dependencies)
    expect([ref, ...dependsOn].filter((each) => !references.has(each))).toEqual([]);
});
