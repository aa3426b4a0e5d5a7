import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo, deleteRepo, moveRepo } from '@moonbase/client/repositories';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { remoteOf } from '../../packages/server/test/git-client.ts';
import { startStallingProxy } from '../../packages/server/test/stalling-proxy.ts';
import { type LfsClient, lfsClient } from './lfs-client.ts';
import { startWorld, TOKENS, type Who, type World } from './world.ts';

/** git-lfs as a client of the built hub. The first commit of every repository makes `*.bin` a large file. */
let world: World;
let client: LfsClient;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  client = await lfsClient();
});
afterEach(() => client[Symbol.asyncDispose]());

const urlFor = (who: Who, path: string) => remoteOf(world.as(who), path);
let made = 0;

/** Creates a model of alice and a clone of it by her in the folder `clone`. */
async function newModel(options: { private?: true } = {}): Promise<string> {
  made += 1;
  const repo = `alice/lfs-${made}`;
  await createRepo({ ...world.as('alice'), repo, ...options });
  await client.run('.', 'clone', '--quiet', urlFor('alice', repo), 'clone');
  return repo;
}

const pointerTo = (oid: string, size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
const oidIn = async (where: string, path: string) =>
  /oid sha256:([0-9a-f]{64})/.exec(await client.run(where, 'show', `HEAD:${path}`))?.[1] ?? '';

describe('git-lfs', () => {
  test.each([
    ['model', ['', 'models/']],
    ['dataset', ['datasets/']],
    ['space', ['spaces/']],
    ['kernel', ['kernels/']],
  ] as const)('pushes and clones large files of a %s under each of its URLs', async (type, prefixes) => {
    const repo = `alice/lfs-${type}`;
    await createRepo({ ...world.as('alice'), type, repo, ...(type === 'space' && { sdk: 'static' as const }) });
    const paths = prefixes.flatMap((prefix) => [`${prefix}${repo}`, `${prefix}${repo}.git`]);
    for (const [number, path] of paths.entries()) {
      const [from, to] = [`from-${number}`, `to-${number}`];
      await client.run('.', 'clone', '--quiet', urlFor('alice', path), from);
      await client.commit(from, { [`folder/${number} #%ü.bin`]: 200_000, [`${number}.empty.bin`]: '' });
      expect(await client.shown(from, 'push', 'origin', 'main')).toEqual([0, expect.stringMatching(/Uploading LFS/)]);
      await client.run('.', 'clone', '--quiet', urlFor('bob', path), to);
      for (const [at] of paths.entries())
        if (at <= number)
          expect(await client.hash(to, 'folder', `${at} #%ü.bin`)).toBe(
            await client.hash(from, 'folder', `${at} #%ü.bin`),
          );
      expect(await client.run(to, 'lfs', 'fsck')).toBe('Git LFS fsck OK');
    }
  });

  test('asks git for credentials, which it stores', async () => {
    const repo = await newModel({ private: true });
    await client.commit('clone', { 'a.bin': 1000 });
    const { origin, host } = new URL(world.hubUrl);
    await client.run('clone', 'remote', 'set-url', 'origin', `${origin}/${repo}`);
    await client.run('clone', 'config', '--global', 'credential.helper', 'store');
    const store = (token: string) => writeFile(client.pathOf('.git-credentials'), `http://anybody:${token}@${host}\n`);
    await store(TOKENS.alice);
    expect(await client.shown('clone', 'push', 'origin', 'main')).toEqual([0, expect.any(String)]);
    await client.run('.', 'clone', '--quiet', `${origin}/${repo}`, 'again');
    expect(await client.hash('again', 'a.bin')).toBe(await client.hash('clone', 'a.bin'));
    await store('hf_nobodyHasThisToken');
    await rm(client.pathOf('again/.git/lfs/objects'), { recursive: true });
    const [code, text] = await client.shown('again', 'lfs', 'fetch', 'origin', 'main');
    expect(code).not.toBe(0);
    // git forgets what was refused, and would now ask for another.
    expect(text).toMatch(/Git credentials for .* not found/);
    expect(String(await client.read('.git-credentials'))).toBe('');
  });

  test('takes a token as the user name', async () => {
    const repo = await newModel({ private: true });
    await client.commit('clone', { 'a.bin': 1000 });
    const url = new URL(`${world.hubUrl}/${repo}`);
    url.username = TOKENS.alice;
    url.password = 'x-oauth-basic';
    await client.run('clone', 'remote', 'set-url', 'origin', url.href);
    expect(await client.shown('clone', 'push', 'origin', 'main')).toEqual([0, expect.any(String)]);
    await client.run('.', 'clone', '--quiet', url.href, 'again');
    expect(await client.hash('again', 'a.bin')).toBe(await client.hash('clone', 'a.bin'));
  });

  test('clones without files, fetches them later, prunes them and fetches them again', async () => {
    const repo = await newModel();
    await client.commit('clone', { 'a.bin': 50_000 });
    await client.commit('clone', { 'a.bin': 60_000 });
    await client.run('clone', 'push', '--quiet', 'origin', 'main');
    const skipping = { GIT_LFS_SKIP_SMUDGE: '1' };
    const cloned = await client.start('.', ['clone', '--quiet', urlFor('bob', repo), 'later'], skipping).ended;
    expect(cloned.code).toBe(0);
    expect(String(await client.read('later', 'a.bin'))).toBe(pointerTo(await oidIn('later', 'a.bin'), 60_000));
    await client.run('later', 'lfs', 'fetch', '--all');
    expect(await client.run('later', 'lfs', 'ls-files')).toMatch(/^[0-9a-f]{10} - a\.bin$/);
    await client.run('later', 'lfs', 'checkout');
    expect(await client.hash('later', 'a.bin')).toBe(await client.hash('clone', 'a.bin'));
    expect(await client.run('later', 'lfs', 'prune', '--verify-remote')).toMatch(/1 file|Deleting objects/);
    await client.run('later', 'checkout', '--quiet', 'HEAD~1');
    expect(await client.read('later', 'a.bin')).toHaveLength(50_000);
    await client.run('later', 'checkout', '--quiet', 'main');
    expect(await client.run('later', 'status', '--porcelain')).toBe('');
  });

  test('makes a file large that the hub refused, by the command of the refusal', async () => {
    const repo = await newModel();
    await client.commit('clone', { 'big.json': 'x'.repeat(10 * 1024 * 1024 + 1), 'small.txt': 'small' });
    await client.commit('clone', { 'later.txt': 'later' });
    const [code, text] = await client.shown('clone', 'push', 'origin', 'main');
    expect(code).toBe(1);
    expect(text).toMatch(/^remote: {3}big\.json \(10\.0 MiB\)\s*$/m);
    const [, command = ''] = /^remote: Run `git ([^`]+)`/m.exec(text) ?? [];
    expect(command).toBe('lfs migrate import --include="<paths>"');
    await client.run('clone', ...command.replaceAll('"', '').replace('<paths>', 'big.json').split(' '));
    expect(await client.shown('clone', 'push', 'origin', 'main')).toEqual([0, expect.any(String)]);
    await client.run('.', 'clone', '--quiet', urlFor('bob', repo), 'again');
    expect(await client.read('again', 'big.json')).toHaveLength(10 * 1024 * 1024 + 1);
    expect(await client.run('again', 'rev-list', '--count', 'HEAD')).toBe('3');
  });

  test('pushes the large files of all branches into another repository', async () => {
    await newModel();
    await client.commit('clone', { 'a.bin': 10_000 });
    await client.run('clone', 'switch', '--quiet', '--create', 'side');
    await client.commit('clone', { 'b.bin': 10_000 });
    await client.run('clone', 'push', '--quiet', 'origin', '--all');
    await createRepo({ ...world.as('alice'), repo: 'alice/lfs-copy' });
    const url = urlFor('alice', 'alice/lfs-copy');
    const incomplete = ['-c', 'core.hooksPath=/dev/null', 'push', '--force', url, 'main', 'side'];
    const [, text] = await client.shown('clone', ...incomplete);
    expect(text).toMatch(/^remote: The repository does not have the large files of these pointers:\s*$/m);
    expect(text).toMatch(/^remote: Run `git lfs push --all <remote>`, then push again\.\s*$/m);
    await client.run('clone', 'remote', 'add', 'copy', url);
    await client.run('clone', 'lfs', 'push', '--all', 'copy');
    expect(await client.shown('clone', ...incomplete)).toEqual([0, expect.any(String)]);
    await client.run('.', 'clone', '--quiet', '--branch', 'side', url, 'copy');
    for (const path of ['a.bin', 'b.bin'])
      expect(await client.hash('copy', path)).toBe(await client.hash('clone', path));
  });

  test('follows a repository that was moved, to push and to fetch', async () => {
    const repo = await newModel();
    await moveRepo({ ...world.as('alice'), type: 'model', from: repo, to: `${repo}-moved` });
    await client.commit('clone', { 'a.bin': 10_000 });
    expect(await client.shown('clone', 'push', 'origin', 'main')).toEqual([0, expect.any(String)]);
    await client.run('.', 'clone', '--quiet', urlFor('bob', repo), 'old-name');
    expect(await client.hash('old-name', 'a.bin')).toBe(await client.hash('clone', 'a.bin'));
    expect(await client.shown('clone', 'lfs', 'lock', 'a.bin')).toEqual([0, expect.stringMatching(/Locked a\.bin/)]);
  });

  test('brings a large file in a pull request of somebody who may only read', async () => {
    const repo = await newModel();
    await createDiscussion({
      ...world.as('bob'),
      ...{ type: 'model', repo, title: 'A change', description: '', pullRequest: true },
    });
    await client.run('.', 'clone', '--quiet', urlFor('bob', repo), 'proposal');
    await client.commit('proposal', { 'b.bin': 10_000 });
    const toMain = await client.shown('proposal', 'push', 'origin', 'HEAD:main');
    expect(toMain).toEqual([1, expect.stringMatching(/You don't have the rights to change this repository/)]);
    const byStranger = await client.shown('proposal', 'push', urlFor('carol', repo), 'HEAD:refs/pr/1');
    expect(byStranger).toEqual([1, expect.stringMatching(/commit to a pull request of somebody else/)]);
    expect(await client.shown('proposal', 'push', 'origin', 'HEAD:refs/pr/1')).toEqual([0, expect.any(String)]);
    await client.run('clone', 'fetch', '--quiet', 'origin', 'refs/pr/1:pr/1');
    await client.run('clone', 'switch', '--quiet', 'pr/1');
    expect(await client.hash('clone', 'b.bin')).toBe(await client.hash('proposal', 'b.bin'));
  });
});

describe('locks', () => {
  test('are made, listed, heeded and forced by git-lfs', async () => {
    made += 1;
    const repo = `acme/lfs-${made}`;
    await createRepo({ ...world.as('alice'), repo });
    for (const who of ['alice', 'bob'] as const) await client.run('.', 'clone', '--quiet', urlFor(who, repo), who);
    await client.commit('bob', { 'art.bin': 1000 });
    const [, hint] = await client.shown('bob', 'push', 'origin', 'main');
    expect(hint).toMatch(/Locking support detected on remote "origin"/);
    await client.run('alice', 'pull', '--quiet');
    expect(await client.shown('bob', 'lfs', 'lock', 'art.bin')).toEqual([0, 'Locked art.bin\n']);
    expect(await client.shown('alice', 'lfs', 'locks')).toEqual([0, expect.stringMatching(/^art\.bin\s+bob\s+ID:/)]);
    expect(await client.shown('bob', 'lfs', 'locks', '--verify')).toEqual([0, expect.stringMatching(/^O art\.bin/)]);
    const again = await client.shown('alice', 'lfs', 'lock', 'art.bin');
    expect(again).toEqual([2, expect.stringMatching(/art\.bin is locked by bob already/)]);

    await client.commit('alice', { 'art.bin': 1000 });
    const refused = await client.shown('alice', 'push', 'origin', 'main');
    expect(refused).toEqual([1, expect.stringMatching(/art\.bin \(locked by bob\)/)]);
    await client.run('alice', 'config', `lfs.${urlFor('alice', repo)}.git/info/lfs.locksverify`, 'true');
    expect((await client.shown('alice', 'push', 'origin', 'main'))[0]).toBe(1);
    await client.run('alice', 'config', 'lfs.locksverify', 'true');
    const verified = await client.shown('alice', 'push', 'origin', 'main');
    expect(verified).toEqual([1, expect.stringMatching(/Unable to push locked files:[\s\S]*art\.bin - bob/)]);

    const unlocked = await client.shown('alice', 'lfs', 'unlock', 'art.bin');
    expect(unlocked).toEqual([expect.any(Number), expect.stringMatching(/an admin can unlock it by force/)]);
    expect(await client.shown('alice', 'lfs', 'unlock', '--force', 'art.bin')).toEqual([0, 'Unlocked art.bin\n']);
    expect(await client.shown('alice', 'push', 'origin', 'main')).toEqual([0, expect.any(String)]);
  });
});

describe('a refusal', () => {
  test('of a stranger says no more than of an unknown repository', async () => {
    const repo = await newModel({ private: true });
    await client.commit('clone', { 'a.bin': 1000 });
    await client.run('clone', 'push', '--quiet', 'origin', 'main');
    const fetchFrom = async (name: string) => {
      await rm(client.pathOf('clone/.git/lfs/objects'), { recursive: true, force: true });
      await client.run('clone', 'remote', 'set-url', 'origin', urlFor('carol', name));
      const [code, text] = await client.shown('clone', 'lfs', 'fetch', 'origin', 'main');
      return [code, text.replaceAll(name, 'NAME')];
    };
    const hidden = await fetchFrom(repo);
    expect(hidden).toEqual([2, expect.stringMatching(/Repository not found/)]);
    expect(await fetchFrom('alice/lfs-unknown')).toEqual(hidden);
  });

  test('of a token that only reads is the sentence of the hub', async () => {
    const repo = await newModel();
    await client.commit('clone', { 'a.bin': 1000 });
    await client.run('clone', 'remote', 'set-url', 'origin', urlFor('reader', repo));
    const [code, text] = await client.shown('clone', 'push', 'origin', 'main');
    expect([code, text]).toEqual([expect.any(Number), expect.stringMatching(/Your access token does not cover this/)]);
    expect(code).not.toBe(0);
    const [, direct] = await client.shown('clone', 'lfs', 'push', 'origin', 'main');
    expect(direct).toMatch(/Your access token does not cover this/);
  });

  test('of a file that another repository has leaves it with that repository', async () => {
    await newModel({ private: true });
    await client.commit('clone', { 'secret.bin': 20_000 });
    await client.run('clone', 'push', '--quiet', 'origin', 'main');
    const oid = await oidIn('clone', 'secret.bin');
    await createRepo({ ...world.as('bob'), repo: 'bob/thief' });
    await client.run('.', 'clone', '--quiet', urlFor('bob', 'bob/thief'), 'thief');
    // The pointer is a text of git, so that git-lfs takes it for what a clone without files has.
    await client.commit('thief', { 'stolen.bin': pointerTo(oid, 20_000) });
    expect((await client.shown('thief', 'push', 'origin', 'main'))[1]).toMatch(/missing|does not have/i);
    await client.run('thief', 'config', 'lfs.allowincompletepush', 'true');
    const [code, text] = await client.shown('thief', 'push', 'origin', 'main');
    expect(code).toBe(1);
    expect(text).toMatch(new RegExp(`remote: {3}stolen\\.bin \\(${oid}\\)`));
    expect((await client.shown('thief', 'lfs', 'fetch', 'origin', 'main'))[1]).toMatch(
      /The repository has no such file/,
    );
  });

  test('of a push whose repository is deleted meanwhile is readable', async () => {
    const repo = await newModel();
    await client.commit('clone', { 'a.bin': 1000 });
    await deleteRepo({ ...world.as('alice'), repo });
    expect(await client.shown('clone', 'push', 'origin', 'main')).toEqual([
      expect.any(Number),
      expect.stringMatching(/Repository not found/),
    ]);
  });
});

describe('what breaks off', () => {
  const MEBIBYTE = 1024 * 1024;

  test('while it is pushed is pushed again by the next attempt', async () => {
    const repo = await newModel();
    await client.commit('clone', { 'a.bin': randomBytes(8 * MEBIBYTE) });
    await using proxy = await startStallingProxy(world.hubUrl, { up: 2 * MEBIBYTE });
    await client.run('clone', 'remote', 'add', 'slow', remoteOf({ ...world.as('alice'), hubUrl: proxy.url }, repo));
    const push = client.start('clone', ['push', 'slow', 'main']);
    await proxy.stalled;
    push.kill();
    await push.ended;
    expect(await client.shown('clone', 'push', 'origin', 'main')).toEqual([0, expect.any(String)]);
    await client.run('.', 'clone', '--quiet', urlFor('bob', repo), 'again');
    expect(await client.hash('again', 'a.bin')).toBe(await client.hash('clone', 'a.bin'));
  });

  test('while it is fetched goes on where it was, or begins anew if git-lfs was killed', async () => {
    const repo = await newModel();
    await client.commit('clone', { 'a.bin': randomBytes(7 * MEBIBYTE) });
    await client.run('clone', 'push', '--quiet', 'origin', 'main');
    const whole = await client.hash('clone', 'a.bin');
    const urlOf = ({ url }: { url: string }) => remoteOf({ ...world.as('bob'), hubUrl: url }, repo);

    await using first = await startStallingProxy(world.hubUrl, { down: 4 * MEBIBYTE });
    const verbose = { GIT_CURL_VERBOSE: '1' };
    const broken = client.start('.', ['clone', urlOf(first), 'broken'], verbose);
    await first.stalled;
    first.cut();
    const { code, terminal } = await broken.ended;
    expect(code).toBe(0);
    expect(terminal).toMatch(/^< HTTP\/1\.1 206 Partial Content/m);
    expect(await client.hash('broken', 'a.bin')).toBe(whole);

    await using second = await startStallingProxy(world.hubUrl, { down: 4 * MEBIBYTE });
    const killed = client.start('.', ['clone', urlOf(second), 'killed']);
    await second.stalled;
    killed.kill();
    await killed.ended;
    // Of git itself: it was killed while it wrote the files.
    await rm(client.pathOf('killed/.git/index.lock'), { force: true });
    await client.run('killed', 'remote', 'set-url', 'origin', urlFor('bob', repo));
    await client.run('killed', 'lfs', 'pull');
    await client.run('killed', 'reset', '--quiet', '--hard', 'origin/main');
    expect(await client.hash('killed', 'a.bin')).toBe(whole);
  });
});
