import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccessToken } from '@moonbase/client/access-tokens';
import { createRepo, listRefs, moveRepo } from '@moonbase/client/repositories';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { GitStore } from '../src/platform/git/git-store.ts';
import { HOUR } from './clock.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { knownGitStore } from './git-folder.ts';
import { type Connection, startHub } from './harness.ts';
import { idOf } from './large-files-fixture.ts';
import { startStallingProxy } from './stalling-proxy.ts';

/*
 * Whatever is refused, the person at the terminal reads why. git shows the body of a refused discovery; of all later
 * requests it shows only what comes in its protocol.
 */
const REPO = { type: 'model', repo: 'alice/letters' } as const;
const MEBIBYTE = 1024 * 1024;

type Overrides = Parameters<typeof startHub>[1];

/** Starts a hub with the model `alice/letters` and a clone of it that has a commit more. */
async function fixture(overrides: Overrides = {}, settings: Readonly<Record<string, string>> = {}) {
  const hub = await startHub(settings, overrides);
  await hub.people('alice', 'bob');
  const client = await gitClient();
  const alice = hub.as('alice');
  await createRepo({ ...alice, repo: REPO.repo });
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO.repo), 'clone');
  await writeFile(join(client.folder, 'clone', 'a.txt'), 'a');
  await client.run('clone', 'add', '--all');
  await client.run('clone', 'commit', '--quiet', '--message', 'Add a.txt');
  const push = async (who: Connection, repo: string = REPO.repo) =>
    (await client.attempt('clone', 'push', remoteOf(who, repo), 'HEAD:main')).terminal;
  const lsRemote = async (who: Connection, repo: string = REPO.repo) =>
    (await client.attempt('.', 'ls-remote', remoteOf(who, repo))).terminal;
  const heads = async () => (await listRefs({ ...alice, ...REPO })).branches.map(({ targetCommit }) => targetCommit);
  return {
    ...{ hub, client, alice, push, lsRemote, heads },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

describe('a token', () => {
  test('that has expired is refused like one that never was', async () => {
    await using at = await fixture();
    const expiresAt = new Date(at.hub.clock.now() + HOUR).toISOString();
    const { token } = await createAccessToken({ ...at.alice, displayName: 'short', role: 'write', expiresAt });
    expect(await at.lsRemote(at.hub.with(token))).toBe('');
    at.hub.clock.advance(HOUR);
    const unknown = await at.push(at.hub.with('hf_nobodyHasThisToken'));
    expect(await at.push(at.hub.with(token))).toBe(unknown);
    expect(unknown).toMatch(/^remote: Invalid credentials in Authorization header\s*$/m);
    expect(unknown).toMatch(/Authentication failed/);
  });

  test('that is fine-grained reads and pushes what it was given', async () => {
    await using at = await fixture();
    await createRepo({ ...at.alice, repo: 'alice/secret', private: true });
    const tokenFor = async (repo: string, permissions: ('repo.write' | 'repo.content.read')[]) => {
      const _id = await idOf(at.hub, 'repositories', repo);
      const fineGrained = { scoped: [{ entity: { _id, type: 'model' as const }, permissions }] };
      const given = { displayName: `${repo} ${permissions.join(' ')}`, role: 'fineGrained' as const, fineGrained };
      return at.hub.with((await createAccessToken({ ...at.alice, ...given })).token);
    };
    const writesSecret = await tokenFor('alice/secret', ['repo.write']);
    const readsSecret = await tokenFor('alice/secret', ['repo.content.read']);
    const writesLetters = await tokenFor(REPO.repo, ['repo.write']);
    expect(await at.lsRemote(readsSecret, 'alice/secret')).toBe('');
    expect(await at.lsRemote(writesLetters, 'alice/secret')).toMatch(/remote: Repository not found/);
    expect(await at.push(readsSecret, 'alice/secret')).toMatch(/remote: Your access token does not cover this/);
    expect(await at.push(writesSecret)).toMatch(/remote: Your access token does not cover this/);
    const before = await at.heads();
    expect(await at.push(writesLetters)).toMatch(/main/);
    expect(await at.heads()).not.toEqual(before);
  });
});

test('a push to the old name of a repository reaches the new one, and to an unknown one nothing', async () => {
  await using at = await fixture();
  await moveRepo({ ...at.alice, type: 'model', from: REPO.repo, to: 'alice/poems' });
  expect(await at.push(at.alice)).toMatch(/HEAD -> main/);
  expect(await at.push(at.hub.as('bob'), 'alice/unknown')).toMatch(/remote: Repository not found/);
});

test('a hub that is busy says so to clones and pushes', async () => {
  const slots = { count: 1, maxStallMs: 60_000, maxWaitMs: 50 };
  await using at = await fixture({ gitLimits: { slots } });
  const { client, alice } = at;
  // More than the buffers of connections hold.
  for (const name of ['1.dat', '2.dat', '3.dat'])
    await writeFile(join(client.folder, 'clone', name), randomBytes(8 * MEBIBYTE));
  await client.run('clone', 'add', '--all');
  await client.run('clone', 'commit', '--quiet', '--message', 'Noise');
  await using up = await startStallingProxy(at.hub.url, { up: 2 * MEBIBYTE });
  const stalledPush = client.start('clone', ['push', remoteOf({ ...alice, hubUrl: up.url }, REPO.repo), 'main']);
  await up.stalled;
  expect(await at.push(alice)).toMatch(/main \(The hub is busy with other clones and pushes; try again in a minute\)/);
  stalledPush.kill();
  await stalledPush.ended;
  await expect.poll(() => at.push(alice)).toMatch(/HEAD -> main|up-to-date/);

  await using down = await startStallingProxy(at.hub.url, { down: 2 * MEBIBYTE });
  const stalledClone = client.start('.', ['clone', remoteOf({ ...alice, hubUrl: down.url }, REPO.repo), 'stalled']);
  await down.stalled;
  const { terminal } = await client.attempt('.', 'clone', remoteOf(alice, REPO.repo), 'again');
  expect(terminal).toMatch(/remote error: The hub is busy with other clones and pushes; try again in a minute/);
  stalledClone.kill();
  await stalledClone.ended;
});

/** Starts a hub at which alice has one request of git left: the discovery of a clone or a push, and nothing after it. */
async function almostLimited() {
  const at = await fixture({}, { MOONBASE_RATE_LIMITS: 'anonymous=100,free=20', MOONBASE_ANONYMOUS_READ: 'false' });
  const left = async () => Number(/r=(\d+)/.exec((await fetchRefs(at.alice)).headers.get('ratelimit') ?? '')?.[1]);
  while ((await left()) > 1);
  return at;
}

test.each(['0', '2'])('a refusal in the middle of protocol version %s is readable as well', async (version) => {
  await using at = await almostLimited();
  const git = ['-c', `protocol.version=${version}`];
  const clone = await at.client.attempt('.', ...git, 'clone', remoteOf(at.alice, REPO.repo), 'again');
  expect(clone.terminal).toMatch(/remote error: Too many requests: the limit of "resolvers" is 20 in 300 seconds/);
  expect(clone.code).not.toBe(0);
});

test('a refusal of a push whose objects were on their way is readable as well', async () => {
  await using at = await almostLimited();
  expect(await at.push(at.alice)).toMatch(/^remote: Too many requests: the limit of "resolvers" is 20/m);
});

const fetchRefs = ({ hubUrl, accessToken }: Connection) =>
  fetch(`${hubUrl}/${REPO.repo}/info/refs?service=git-upload-pack`, {
    headers: { authorization: `Bearer ${accessToken}`, 'git-protocol': 'version=2' },
  });

test('a full disk is named, and the push changes nothing', async () => {
  const store = knownGitStore();
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
  let isFull = false;
  const gitStore: GitStore = {
    ...store,
    adoptPacks: (...given) => (isFull ? Promise.reject(full) : store.adoptPacks(...given)),
  };
  await using at = await fixture({ gitStore, logger: pino({ level: 'silent' }) });
  const before = await at.heads();
  isFull = true;
  expect(await at.push(at.alice)).toMatch(/main \(The disk of the hub is full: nothing can be changed/);
  expect(await at.heads()).toEqual(before);
  isFull = false;
  expect(await at.push(at.alice)).toMatch(/HEAD -> main/);
});

test('a push that is too large is told so once it has been sent', async () => {
  await using at = await fixture({ gitLimits: { maxPushBytes: MEBIBYTE } });
  await writeFile(join(at.client.folder, 'clone', 'noise.dat'), randomBytes(8 * MEBIBYTE));
  await at.client.run('clone', 'add', '--all');
  await at.client.run('clone', 'commit', '--quiet', '--message', 'Noise');
  expect(await at.push(at.alice)).toMatch(
    /remote unpack failed: the push has more than 1 MiB; push in several steps, or large files with git-lfs/,
  );
  expect((await at.client.attempt('clone', 'push', 'origin', 'HEAD~1:main')).code).toBe(0);
});

test('a push of something that is no commit, or of a history that is cut off elsewhere, is refused with a reason', async () => {
  await using at = await fixture();
  const { client, alice } = at;
  const tree = await client.run('clone', 'rev-parse', 'HEAD^{tree}');
  const { terminal } = await client.attempt('clone', 'push', 'origin', `${tree}:refs/tags/tree`);
  expect(terminal).toMatch(/tree \(a tree cannot be its head\)/);
  await createRepo({ ...alice, repo: 'alice/other' });
  await client.run('clone', 'commit', '--quiet', '--allow-empty', '--message', 'Nothing');
  await client.run('clone', 'push', '--quiet', 'origin', 'HEAD:main');
  await client.run('.', 'clone', '--quiet', '--depth=1', remoteOf(alice, REPO.repo), 'shallow');
  const elsewhere = await client.attempt('shallow', 'push', '--force', remoteOf(alice, 'alice/other'), 'HEAD:main');
  expect(elsewhere.terminal).toMatch(
    /the pack refers to objects that neither it nor the repository has: [0-9a-f]{40}\. The clone is shallow: `git fetch --unshallow` completes it/,
  );
  await writeFile(join(client.folder, 'shallow', 'b.txt'), 'b');
  await client.run('shallow', 'add', '--all');
  await client.run('shallow', 'commit', '--quiet', '--message', 'Add b.txt');
  expect(await client.attempt('shallow', 'push', 'origin', 'HEAD:main')).toMatchObject({ code: 0 });
});
