import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { gitClient, remoteOf } from './git-client.ts';
import { knownGitStore } from './git-folder.ts';
import { startHub } from './harness.ts';
import { keepingLogger } from './logged-lines.ts';
import { fetchWithoutReading } from './stalled-fetch.ts';
import { startStallingProxy } from './stalling-proxy.ts';

const REPO = 'alice/letters';
const MEBIBYTE = 1024 * 1024;

/** Starts a hub with a model and a clone of it that has a commit of 8 MiB more. */
async function fixture(overrides: Parameters<typeof startHub>[1] = {}) {
  const gitStore = knownGitStore();
  const hub = await startHub({}, { gitStore, ...overrides });
  await hub.people('alice');
  const client = await gitClient();
  const alice = hub.as('alice');
  await createRepo({ ...alice, repo: REPO });
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO), 'clone');
  await writeFile(join(client.folder, 'clone', 'noise.dat'), randomBytes(8 * MEBIBYTE));
  await client.run('clone', 'add', '--all');
  await client.run('clone', 'commit', '--quiet', '--message', 'Noise');
  const { id } = await hub.database.read.selectFrom('repositories').select('id').executeTakeFirstOrThrow();
  const folder = gitStore.folderOf(id);
  return {
    ...{ hub, client, alice },
    quarantines: async () => (await readdir(folder, { recursive: true })).filter((name) => /tmp_/.test(name)),
    processes: () => processesAt(folder),
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

/** Returns the commands of processes that name a folder; none on systems without `/proc`. */
async function processesAt(folder: string): Promise<string[]> {
  if (!existsSync('/proc/self/cmdline')) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(commands)).filter((command) => command.includes(folder));
}

const ONE_AT_A_TIME = { slots: { count: 1, maxStallMs: 600_000, maxWaitMs: 600_000 } };

test('a push whose client is killed leaves nothing, and the next one succeeds', async () => {
  await using at = await fixture();
  const { client, alice } = at;
  const before = await client.run('clone', 'rev-parse', 'origin/main');
  await using proxy = await startStallingProxy(at.hub.url, { up: 2 * MEBIBYTE });
  const push = client.start('clone', ['push', remoteOf({ ...alice, hubUrl: proxy.url }, REPO), 'main']);
  await proxy.stalled;
  await expect.poll(() => at.quarantines()).not.toEqual([]);
  push.kill();
  expect((await push.ended).code).toBe(-1);
  await expect.poll(() => at.quarantines()).toEqual([]);
  await expect.poll(() => at.processes()).toEqual([]);
  expect(await client.run('clone', 'ls-remote', 'origin', 'refs/heads/main')).toMatch(before);
  expect(await client.attempt('clone', 'push', 'origin', 'main')).toMatchObject({ code: 0 });
});

test('a clone whose client is killed leaves no process, and the next one succeeds', async () => {
  await using at = await fixture();
  const { client, alice } = at;
  await client.run('clone', 'push', '--quiet', 'origin', 'main');
  await using proxy = await startStallingProxy(at.hub.url, { down: 2 * MEBIBYTE });
  const url = remoteOf({ ...alice, hubUrl: proxy.url }, REPO);
  const clone = client.start('.', ['clone', '--quiet', url, 'broken']);
  await proxy.stalled;
  clone.kill();
  await clone.ended;
  await expect.poll(() => at.processes()).toEqual([]);
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO), 'whole');
  expect(await client.run('whole', 'rev-parse', 'HEAD')).toBe(await client.run('clone', 'rev-parse', 'HEAD'));
  expect(await client.run('whole', 'fsck', '--full', '--strict')).toBe('');
});

test('a client that leaves before its objects come is not logged as an error', async () => {
  const { lines, logger } = keepingLogger('error');
  await using at = await fixture({ gitLimits: ONE_AT_A_TIME, logger });
  const { client, alice } = at;
  await client.run('clone', 'push', '--quiet', 'origin', 'main');
  const head = await client.run('clone', 'rev-parse', 'HEAD');
  const first = await fetchWithoutReading(alice, REPO, head);
  await expect.poll(() => at.processes()).not.toEqual([]);
  const second = await fetchWithoutReading(alice, REPO, head);
  second.destroy();
  first.destroy();
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO), 'whole');
  await expect.poll(() => at.processes()).toEqual([]);
  expect(lines).toEqual([]);
});
