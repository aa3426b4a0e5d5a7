import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moonbase, person, type RunningHub, startHub } from './hub.ts';

const gitId = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = (path: string, content: string | Buffer) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
};
const read = (path: string) => readFileSync(join(folder, path));
const filesIn = (path: string) =>
  readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, path).length + 1))
    .sort();

describe('a folder', () => {
  let hub: RunningHub;
  const ada = (argv: string[], around = {}) => hub.as('ada', argv, around);
  const weights = randomBytes(300_000);

  beforeAll(async () => {
    hub = await startHub();
    await hub.apply({ users: [person('ada'), person('eve')], repos: [{ name: 'ada/toy', private: true }] });
    write('toy/README.md', '# Toy\n');
    write('toy/data/weights.bin', weights);
    write('toy/data/notes.log', 'not this');
    write('toy/.git/config', 'nor this');
    symlinkSync(join(folder, 'toy/README.md'), join(folder, 'toy/link.md'));
    symlinkSync(folder, join(folder, 'toy/loop'));
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  test('is uploaded as one commit, and the second time without one', async () => {
    const argv = ['upload', 'ada/toy', join(folder, 'toy'), '--exclude', '*.log', '-m', 'Begin'];
    const first = await ada(argv, { isErrorTerminal: true });
    expect(first).toMatchObject({ status: 0, out: expect.stringMatching(/^ada\/toy: uploaded 3 files\.\nhttp/) });
    expect(first.err).toMatch(/Committing \[#{24}\] 100 %, 300\.0 kB of 300\.0 kB/);
    expect((await ada(['ls', 'ada/toy', '-r'])).out.replace(/^ *\S* +(large)? */gm, '')).toMatch(
      /\.gitattributes\nREADME\.md\ndata\/\ndata\/weights\.bin\nlink\.md\n$/,
    );
    expect(await ada(argv)).toEqual({ status: 0, out: 'ada/toy: uploaded 0 files, 3 unchanged.\n', err: '' });
    expect((JSON.parse((await ada(['log', 'ada/toy', '--json'])).out) as unknown[]).length).toBe(2);
  });

  test('is uploaded under the old name of a moved repository', async () => {
    await hub.apply({ repos: [{ name: 'ada/old' }] });
    await ada(['repos', 'move', 'ada/old', 'ada/new']);
    expect(await ada(['upload', 'ada/old', join(folder, 'toy')])).toMatchObject({ status: 0 });
    expect((await ada(['cat', 'ada/new', 'README.md'])).out).toBe('# Toy\n');
  });

  test('is downloaded, and the second time without transferring any file', async () => {
    const to = join(folder, 'copy');
    const argv = ['download', 'ada/toy', '--to', to, '--exclude', '.git*'];
    const first = await ada(argv, { isErrorTerminal: true });
    expect(first).toMatchObject({ status: 0, out: expect.stringMatching(/: 3 files downloaded, 300\.0 kB, commit/) });
    expect(first.err).toMatch(/Downloading \[#{24}\] 100 %/);
    expect(filesIn('copy')).toEqual(['README.md', 'data/weights.bin', 'link.md']);
    expect(read('copy/data/weights.bin').equals(weights)).toBe(true);
    const asked: string[] = [];
    const noting = (url: string, init: RequestInit) => {
      asked.push(url);
      return fetch(url, init);
    };
    const again = await ada(argv, { fetch: noting });
    expect(again.out).toMatch(/: 0 files downloaded, 3 unchanged/);
    expect(asked.filter((url) => url.includes('/resolve/'))).toEqual([]);
  });

  test('resumes the download where a connection broke', async () => {
    const to = join(folder, 'broken');
    const ranges: (string | null)[] = [];
    const breaking = (after: number) => async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      if (!url.includes('weights.bin')) return response;
      ranges.push(new Headers(init.headers).get('range'));
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (ranges.length > 1) return new Response(bytes, response);
      // The command is killed, so nothing is retried.
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(bytes.subarray(0, after)),
        pull: (controller) => controller.error(new Error('killed')),
      });
      return new Response(body, response);
    };
    const argv = ['download', 'ada/toy', 'data', '-o', to];
    await expect(ada(argv, { fetch: breaking(100_000) })).rejects.toThrow('killed');
    const [part = ''] = filesIn('broken');
    expect([part, read(join('broken', part)).length]).toEqual([
      expect.stringMatching(/^data\/weights\.bin\.[0-9a-f]{12}\.part$/),
      100_000,
    ]);
    expect(await ada([...argv, '--include', '*.bin'], { fetch: breaking(0) })).toMatchObject({ status: 0 });
    expect(ranges).toEqual([null, 'bytes=100000-']);
    expect(filesIn('broken')).toEqual(['data/weights.bin']);
    expect(read('broken/data/weights.bin').equals(weights)).toBe(true);
  });

  test('of a private repository does not exist for others', async () => {
    for (const argv of [['ls'], ['log'], ['download', '-o', join(folder, 'eve')]]) {
      const [name = '', ...options] = argv;
      expect(await hub.as('eve', [name, 'ada/toy', ...options])).toMatchObject({ status: 4, out: '' });
    }
    expect(existsSync(join(folder, 'eve'))).toBe(false);
  });

  test('loses files that an upload deletes, and files that rm names', async () => {
    write('more/new.txt', 'new');
    expect(await ada(['upload', 'ada/toy', join(folder, 'more'), '--delete', '*.md'])).toMatchObject({ status: 0 });
    expect(await ada(['rm', 'ada/toy', 'data'])).toMatchObject({
      ...{ status: 1, err: 'data is a folder: add --recursive.\n' },
    });
    expect(await ada(['rm', 'ada/toy', 'data/', '-r'])).toMatchObject({ status: 0 });
    expect(await ada(['rm', 'ada/toy', 'data'])).toMatchObject({ status: 4 });
    const paths = JSON.parse((await ada(['ls', 'ada/toy', '--json'])).out) as { path: string }[];
    expect(paths.map(({ path }) => path)).toEqual(['.gitattributes', 'new.txt']);
  });

  test('is uploaded to a branch, to which others must not have committed', async () => {
    await ada(['repos', 'branch', 'ada/toy', 'next']);
    const [head] = JSON.parse((await ada(['log', 'ada/toy', '--revision', 'next', '--json'])).out) as [{ id: string }];
    const argv = (text: string) => [
      'upload',
      'ada/toy',
      '-',
      `${text}.txt`,
      '--revision',
      'next',
      '--parent-commit',
      head.id,
    ];
    expect(await ada(argv('one'), { stdin: '1' })).toMatchObject({ status: 0 });
    expect(await ada(argv('two'), { stdin: '2' })).toMatchObject({
      status: 1,
      err: expect.stringMatching(/A commit has happened since/),
    });
    expect((await ada(['cat', 'ada/toy', 'one.txt', '--revision', 'next'])).out).toBe('1');
    expect(await ada(['cat', 'ada/toy', 'one.txt'])).toMatchObject({ status: 4 });
  });

  test('of a repository of somebody else is suggested as a pull request', async () => {
    await hub.apply({ repos: [{ name: 'ada/open' }] });
    const eve = (argv: string[], stdin = '') => hub.as('eve', argv, { stdin });
    expect(await eve(['upload', 'ada/open', '-', 'idea.txt'], 'idea')).toMatchObject({ status: 3 });
    const opened = await eve(['upload', 'ada/open', '-', 'idea.txt', '--create-pr', '-m', 'An idea'], 'idea');
    expect(opened.out).toMatch(/^ada\/open: uploaded 1 file\.\nhttp\S+\/ada\/open\/discussions\/1\n$/);
    expect(await eve(['upload', 'ada/open', '-', 'more.txt', '--revision', 'refs/pr/1'], 'm')).toMatchObject({
      status: 0,
    });
    expect(await ada(['discussions', 'merge', 'ada/open', '1'])).toMatchObject({ status: 0 });
    expect((await ada(['cat', 'ada/open', 'more.txt'])).out).toBe('m');
    const removed = await eve(['rm', 'ada/open', 'more.txt', '--create-pr']);
    expect(removed.out).toMatch(/^Suggested to delete more\.txt\.\nhttp\S+\/discussions\/2\n$/);
  });

  test('that does not exist, or a command with nothing to do, is reported', async () => {
    const cases: [number, string[], RegExp][] = [
      [1, ['upload', 'ada/toy', join(folder, 'nowhere')], /^Cannot read .*nowhere: no such file\n$/],
      [2, ['upload', 'ada/toy', join(folder, 'more'), '--include', 'x'], /^There is nothing to upload\.\n$/],
      [2, ['upload', 'ada/toy', '-'], /needs a path/],
      [2, ['upload', 'toy', join(folder, 'more')], /namespace/],
      [1, ['upload', 'ada/toy', join(folder, 'more'), '..'], /path/],
      [
        4,
        ['download', 'ada/toy', 'nothing.txt', '-o', join(folder, 'x')],
        /^ada\/toy has no file or folder nothing\.txt\.\n$/,
      ],
      [4, ['download', 'ada/toy', '--revision', 'v9', '-o', join(folder, 'x')], /v9/],
      [2, ['rm', 'ada/toy'], /Name the files/],
      [4, ['ls', 'ada/toy', 'nowhere'], /./],
      [4, ['cat', 'ada/toy', ''], /no file/],
    ];
    for (const [status, argv, says] of cases) {
      const outcome = await ada(argv);
      expect([argv, outcome.status, outcome.out, outcome.err]).toEqual([argv, status, '', expect.stringMatching(says)]);
    }
  });

  test('has files whose control characters a terminal does not execute', async () => {
    await ada(['upload', 'ada/toy', '-', 'evil.txt'], { stdin: 'a\x1b[2Jb\r\nc\td\x9b' });
    const cat = (around = {}) => ada(['cat', 'ada/toy', 'evil.txt'], around);
    expect((await cat()).out).toBe('a\x1b[2Jb\r\nc\td\x9b');
    expect((await cat({ isTerminal: true })).out).toBe('a[2Jb\nc\td');
    await ada(['upload', 'ada/toy', '-', 'binary'], { stdin: 'a\0b' });
    expect(await ada(['cat', 'ada/toy', 'binary'], { isTerminal: true })).toMatchObject({ status: 2, out: '' });
  });
});

describe('a malicious hub', () => {
  const COMMIT = 'c'.repeat(40);
  interface ListedFile {
    readonly path: string;
    readonly size?: number;
    readonly oid?: string;
  }
  /** Starts a hub that lists these entries, and sends a text for each file. */
  const hostile = (entries: readonly ListedFile[], text: string) => async (url: string) => {
    if (url.includes('/revision/')) return Response.json({ sha: COMMIT });
    if (url.includes('/tree/'))
      return Response.json(entries.map((entry) => ({ type: 'file', size: text.length, oid: gitId(text), ...entry })));
    return new Response(text);
  };
  const download = (to: string, entries: readonly ListedFile[], text = 'harm') =>
    moonbase(['download', 'ada/toy', '-o', join(folder, to), '--url', 'http://hub.test'], {
      env: { XDG_CONFIG_HOME: folder },
      fetch: hostile(entries, text),
    });

  test.each([
    ...['../outside.txt', '/tmp/moonbase-outside.txt', 'a/../../outside.txt', '..\\outside.txt', 'a\\b', ''],
    ...['.git/hooks/post-checkout', 'a/.GIT/config', 'a\u001b[2J'],
  ])('causes no write for a file named %j', async (path) => {
    const outcome = await download('inside', [{ path: 'fine.txt' }, { path }]);
    expect(outcome).toMatchObject({ status: 1, out: '', err: expect.stringContaining('cannot be saved') });
    expect(outcome.err).not.toContain('\u001b');
    expect([existsSync(join(folder, 'inside')), existsSync(join(folder, 'outside.txt'))]).toEqual([false, false]);
  });

  test('cannot leave the folder through a link in it', async () => {
    mkdirSync(join(folder, 'elsewhere'));
    mkdirSync(join(folder, 'linked'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'linked/data'));
    expect(await download('linked', [{ path: 'data/x.txt' }])).toMatchObject({
      ...{ status: 1, err: expect.stringMatching(/it is a file or a link\.\n$/) },
    });
    expect(filesIn('elsewhere')).toEqual([]);
  });

  test('cannot write through a link in place of a file or of its partial download', async () => {
    mkdirSync(join(folder, 'planted'));
    write('victim.txt', 'mine');
    symlinkSync(join(folder, 'victim.txt'), join(folder, 'planted/x.txt'));
    expect(await download('planted', [{ path: 'x.txt' }])).toMatchObject({ status: 0 });
    expect([read('victim.txt').toString(), read('planted/x.txt').toString()]).toEqual(['mine', 'harm']);
    const part = `y.txt.${gitId('harm').slice(0, 12)}.part`;
    symlinkSync(join(folder, 'victim.txt'), join(folder, 'planted', part));
    expect(await download('planted', [{ path: 'y.txt' }])).toMatchObject({
      ...{ status: 1, err: expect.stringMatching(/it is a link/) },
    });
    expect(read('victim.txt').toString()).toBe('mine');
  });

  test.each([
    ['bytes other than it lists', [{ path: 'x.txt', oid: gitId('good') }]],
    ['more bytes than it lists', [{ path: 'x.txt', size: 3, oid: gitId('har') }]],
    ['no hash', [{ path: 'x.txt', oid: '../../x' }]],
    ['an invalid size', [{ path: 'x.txt', size: -1 }]],
  ])('leaves no file behind if it sends %s', async (_, entries) => {
    expect(await download('refused', entries)).toMatchObject({ status: 1, out: '' });
    expect(existsSync(join(folder, 'refused')) ? filesIn('refused') : []).toEqual([]);
  });

  test('that lists a file below a file gets an error', async () => {
    expect(await download('nested', [{ path: 'a' }, { path: 'a/b' }])).toMatchObject({ status: 1, out: '' });
  });
});
