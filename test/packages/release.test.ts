import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = join(root, 'scripts/release.mjs');
const names = readdirSync(join(root, 'packages'));
const packages = names.map((name) => `packages/${name}/package.json`);
const RELEASES = 'packages/server/migrations/releases.json';
/** The files whose lines differ, and no others are added. */
const versioned = [
  ...['package.json', 'package-lock.json', ...packages],
  ...['packages/server/src/platform/version.ts', 'deploy/Dockerfile', 'deploy/helm/moonbase/Chart.yaml'],
];
const files = ['CHANGELOG.md', RELEASES, ...versioned];
const MIGRATIONS = ['0001-first.sql', '0117-last-but-one.sql', '0118-last.postgres.sql', '0118-last.sql'];
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { version } = json(join(root, 'package.json')) as { version: string };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moonbase-release-'));
  for (const file of files) cpSync(join(root, file), join(folder, file), { recursive: true });
  for (const name of MIGRATIONS) writeFileSync(join(folder, dirname(RELEASES), name), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const release = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n');

test('a release has its version wherever the last one stood, and its part of the changelog', () => {
  const { status, stdout } = release('987.6.5', folder);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${version} became 987.6.5 in ${files.length} files.`)]);
  for (const file of packages) {
    expect(json(join(folder, file))).toMatchObject({ version: '987.6.5' });
    expect(textOf(file)).not.toMatch(new RegExp(`"(version|@moonbase/[a-z]+)": "${version}"`));
  }
  const lock = json(join(folder, 'package-lock.json')) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  expect([
    lock.version,
    ...['', ...names.map((name) => `packages/${name}`)].map((path) => lock.packages[path]?.version),
  ]).toEqual(Array(names.length + 2).fill('987.6.5'));
  expect(textOf('packages/server/src/platform/version.ts')).toContain("VERSION = '987.6.5'");
  expect(parse(textOf('deploy/helm/moonbase/Chart.yaml'))).toMatchObject({ version: '987.6.5', appVersion: '987.6.5' });
  expect(textOf('CHANGELOG.md')).toMatch(/^## Unreleased\n\n## 987\.6\.5 \(\d{4}-\d\d-\d\d\)\n\n### /m);
  expect(textOf('deploy/Dockerfile')).toContain('ARG VERSION=987.6.5\n');
  const released = json(join(folder, RELEASES)) as object[];
  expect(released.at(-1)).toEqual({ version: '987.6.5', newest: '0118-last' });
  expect(released.slice(0, -1)).toEqual(json(join(root, RELEASES)));
  // Nothing but versions and the heading differs.
  for (const file of versioned) {
    const [before, after] = [linesOf(join(root, file)), linesOf(join(folder, file))];
    expect(after.length, file).toBe(before.length);
    expect(
      after.filter((line, at) => line !== before[at] && !line.includes('987.6.5')),
      file,
    ).toEqual([]);
  }
});

test('a release without changes, or with a version that is none or not above the last one, changes nothing', () => {
  const refusals = ['', 'next', '0.0.1', version].map((wanted) => release(wanted, folder));
  expect(refusals.map(({ status }) => status)).toEqual([2, 2, 2, 2]);
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 0.0.9 (2026-01-01)\n\n- Old.\n');
  const { status, stderr } = release('987.6.5', folder);
  expect([status, stderr]).toEqual([2, expect.stringContaining('nothing to release')]);
  for (const file of files.filter((each) => each !== 'CHANGELOG.md'))
    expect(textOf(file), file).toBe(readFileSync(join(root, file), 'utf8'));
});

test('every package can be published by everybody who may, with a statement of where it was built', () => {
  for (const file of packages)
    expect(json(join(root, file)), file).toMatchObject({
      name: `@moonbase/${dirname(file).split('/').at(-1)}`,
      license: 'Apache-2.0',
      publishConfig: { access: 'public', provenance: true },
    });
});

test('the workflow of a release publishes each package once, after those that it needs', () => {
  const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
  type Job = { steps: { run?: string }[] };
  const workflow = parse(text) as { permissions: object; jobs: Record<string, Job> };
  expect(workflow.permissions).toMatchObject({ 'id-token': 'write' });
  const [, order = ''] = /for name in (.*); do/.exec(text) ?? [];
  const published = order.split(' ');
  expect(published.toSorted()).toEqual(names.toSorted());
  for (const [at, name] of published.entries()) {
    const { dependencies = {} } = json(join(root, `packages/${name}/package.json`)) as { dependencies?: object };
    const needed = Object.keys(dependencies).filter((each) => each.startsWith('@moonbase/'));
    for (const each of needed) expect(published.slice(0, at)).toContain(each.slice('@moonbase/'.length));
  }
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  for (const { run } of steps) if (run !== undefined) execFileSync('bash', ['-n', '-c', run]);
});
