import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBranch } from '@moonbase/client/repositories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { person, type RunningHub, startHub, tokenOf } from './hub.ts';

let hub: RunningHub;
let folder: string;
beforeAll(async () => {
  hub = await startHub();
  folder = await mkdtemp(join(tmpdir(), 'moonbase-pull-requests-'));
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'README.md'), '# Toy\n');
  writeFileSync(join(folder, 'docs/use.md'), 'Wind it up.\n');
  await hub.apply({ users: [person('ada'), person('eve')], repos: [{ name: 'ada/toy' }, { name: 'ada/train' }] });
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
const ada = (argv: string[], around = {}) => hub.as('ada', argv, around);
const eve = (argv: string[], around = {}) => hub.as('eve', argv, around);

describe('a pull request', () => {
  test('is opened with a local folder, looked at, discussed and merged', async () => {
    const created = await eve(['pr', 'create', 'ada/toy', folder, '-t', 'Begin', '-b', '-'], { stdin: 'Shall we?\n' });
    expect(created).toMatchObject({ status: 0, out: expect.stringMatching(/^Opened #1: http\S+\/discussions\/1\n$/) });
    expect((await ada(['pr', 'list', 'ada/toy'])).out).toMatch(/^ +1 +open +Begin +eve/m);
    expect((await ada(['pr', 'view', 'ada/toy', '1'])).out).toMatch(
      /^Begin #1\nopen, for main\n\neve, [\d :-]+:\nShall we\?\n\neve, [\d :-]+: commit [0-9a-f]{7} Begin\n$/,
    );
    const { out } = await ada(['pr', 'diff', 'ada/toy', '1']);
    expect([out.includes('+# Toy\n'), out.includes('+++ b/docs/use.md\n')]).toEqual([true, true]);
    expect(await ada(['pr', 'comment', 'ada/toy', '1', 'We shall.'])).toMatchObject({ status: 0 });
    expect(await eve(['pr', 'merge', 'ada/toy', '1'])).toMatchObject({ status: 3 });
    expect(await ada(['pr', 'merge', 'ada/toy', '1'])).toEqual({ status: 0, out: 'Merged #1.\n', err: '' });
    expect((await ada(['cat', 'ada/toy', 'docs/use.md'])).out).toBe('Wind it up.\n');
    expect(await eve(['pr', 'create', 'ada/toy', folder, '-t', 'Again'])).toMatchObject({
      status: 1,
      err: 'main has all of these files already.\n',
    });
  });

  test('is opened with a branch, whose commits it brings', async () => {
    const create = () => ada(['pr', 'create', 'ada/train', '--branch', 'dev', '-t', 'All of dev']);
    expect(await create()).toMatchObject({ status: 4 });
    await createBranch({
      ...{ hubUrl: hub.hubUrl, accessToken: tokenOf('ada') },
      ...{ type: 'model', repo: 'ada/train', branch: 'dev' },
    });
    expect(await create()).toMatchObject({ status: 1, err: 'main has everything on dev already.\n' });
    for (const name of ['one', 'two'])
      await ada(['upload', 'ada/train', '-', `${name}.txt`, '--revision', 'dev', '-m', `Add ${name}`], { stdin: name });
    await ada(['upload', 'ada/train', '-', 'main.txt'], { stdin: 'main' });
    expect((await create()).out).toMatch(/^Opened #1: http/);
    expect((await ada(['pr', 'diff', 'ada/train', '1'])).out).not.toContain('main.txt');
    expect((await ada(['pr', 'view', 'ada/train', '1'])).out).toMatch(/^All of dev #1\nopen, for main\n/);
    expect(await ada(['pr', 'merge', 'ada/train', '1'])).toMatchObject({ status: 0 });
    const { out } = await ada(['log', 'ada/train']);
    for (const title of ['All of dev (#1)', 'Add two', 'Add one', 'Upload main.txt']) expect(out).toContain(title);
  });

  test('is not a discussion, and has one source', async () => {
    await ada(['discussions', 'create', 'ada/toy', '-t', 'Which licence?']);
    const { out } = await ada(['discussions', 'list', 'ada/toy', '--kind', 'discussion', '--json']);
    const [{ num }] = JSON.parse(out) as [{ num: number }];
    for (const argv of [['view'], ['diff'], ['close'], ['comment']])
      expect(
        await ada(['pr', ...argv, 'ada/toy', String(num), ...(argv[0] === 'comment' ? ['Hello'] : [])]),
      ).toMatchObject({ status: 1, err: `#${num} is a discussion: see moonbase discussions show.\n` });
    expect((await ada(['discussions', 'show', 'ada/toy', String(num)])).out).toMatch(
      /^Which licence\? #\d\ndiscussion, open/,
    );
    expect(await ada(['pr', 'create', 'ada/toy', folder, '--branch', 'dev', '-t', 'Both'])).toMatchObject({
      status: 2,
      err: 'Give either local files or --branch.\n',
    });
  });
});
