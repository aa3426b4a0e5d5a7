import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { startS3Server } from './blobs/s3-server.ts';
import { MINUTE } from './clock.ts';
import { ask, commitTo, noise, packsIn, startReplica } from './git-bucket-fixture.ts';
import { gitClient, remoteOf } from './git-client.ts';

const REPO = 'alice/letters';
const SENTENCE = 'The storage of repositories is not responding; try again in a few seconds';

/** Starts a hub that keeps git objects in a bucket, with a model whose file `a.txt` was committed. */
async function fixture() {
  const server = await startS3Server();
  const replica = await startReplica(server);
  await replica.hub.people('alice');
  const alice = replica.hub.as('alice');
  const client = await gitClient();
  await createRepo({ ...alice, repo: REPO });
  await commitTo(alice, REPO, { 'a.txt': 'a' });
  const read = (path = 'main/a.txt', repo = REPO) => ask(replica.hub.url, 'alice', `/${repo}/resolve/${path}`);
  return {
    ...{ server, replica, alice, client, read },
    head: async (): Promise<string> => JSON.parse(await (await read('', '../api/models/alice')).text()).sha,
    commit: (files: Readonly<Record<string, string>>) => commitTo(alice, REPO, files),
    /** Lets requests about git objects fail. */
    fail(method?: string) {
      server.control.fault = (given, key) =>
        key.startsWith('git/') && (method === undefined || given === method) ? 500 : undefined;
    },
    recover() {
      server.control.fault = undefined;
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await replica[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const countOf = async ({ hub }: Awaited<ReturnType<typeof startReplica>>, table: 'events' | 'repo_packs') =>
  (await hub.database.read.selectFrom(table).selectAll().execute()).length;

test('a commit that the bucket does not take is refused with a sentence, and nothing has changed', async () => {
  await using at = await fixture();
  const before = [await countOf(at.replica, 'events'), await countOf(at.replica, 'repo_packs'), packsIn(at.server)];
  at.fail('PUT');
  await expect(at.commit({ 'a.txt': 'b' })).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining(SENTENCE),
  });
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, number) => [`${number}`, 'x']));
  await expect(at.commit(many)).rejects.toMatchObject({ status: 503 });
  expect([await countOf(at.replica, 'events'), await countOf(at.replica, 'repo_packs'), packsIn(at.server)]).toEqual(
    before,
  );
  expect(await (await at.read()).text()).toBe('a');
  expect((await at.replica.files()).filter((path) => path.includes('tmp_obj_'))).toEqual([]);
  at.recover();
  await at.commit({ 'a.txt': 'b' });
  expect(await (await at.read()).text()).toBe('b');
});

test('a request that the bucket loses once is sent again', async () => {
  await using at = await fixture();
  let lost = 0;
  at.server.control.fault = (method) => (method === 'PUT' && lost++ < 2 ? 503 : undefined);
  await at.commit({ 'a.txt': 'b' });
  await at.replica.wipe();
  expect(await (await at.read()).text()).toBe('b');
});

test('a push that the bucket does not take is refused at the terminal, and the next one is taken', async () => {
  await using at = await fixture();
  await at.client.run('.', 'clone', '--quiet', remoteOf(at.alice, REPO), 'clone');
  await writeFile(join(at.client.folder, 'clone', 'b.txt'), 'b');
  await at.client.run('clone', 'add', '--all');
  await at.client.run('clone', 'commit', '--quiet', '--message', 'Push');
  at.fail('PUT');
  const refused = await at.client.attempt('clone', 'push', 'origin', 'HEAD:main');
  expect(refused.code).not.toBe(0);
  expect(refused.terminal).toContain(SENTENCE);
  expect((await at.read('main/b.txt')).status).toBe(404);
  at.recover();
  await at.client.run('clone', 'push', '--quiet', 'origin', 'HEAD:main');
  await at.replica.wipe();
  expect(await (await at.read('main/b.txt')).text()).toBe('b');
});

test('reads of what is on the disk go on without the bucket, and others are told to come back', async () => {
  await using at = await fixture();
  await createRepo({ ...at.alice, repo: 'alice/other' });
  await commitTo(at.alice, 'alice/other', { 'a.txt': 'other' });
  await at.replica.wipe();
  expect(await (await at.read()).text()).toBe('a');
  at.fail();
  expect(await (await at.read()).text()).toBe('a');
  await at.client.run('.', 'clone', '--quiet', remoteOf(at.alice, REPO), 'clone');
  const refused = await at.read('main/a.txt', 'alice/other');
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.text()).toContain(SENTENCE);
  const clone = await at.client.attempt('.', 'clone', remoteOf(at.alice, 'alice/other'), 'other');
  expect(clone.terminal).toContain(SENTENCE);
  at.recover();
  expect(await (await at.read('main/a.txt', 'alice/other')).text()).toBe('other');
});

test.each([
  ['truncated', (bytes: Buffer) => bytes.subarray(0, -7)],
  ['altered', (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === bytes.length - 30 ? byte ^ 1 : byte)))],
  ['empty', () => Buffer.alloc(0)],
  ['of other bytes', () => Buffer.from('something else')],
])('a pack that is %s in the bucket is not served, and everything else is', async (_what, damage) => {
  await using at = await fixture();
  await at.commit({ 'b.txt': 'b' });
  const [key = ''] = packsIn(at.server).slice(-1);
  const sound = at.server.objects.get(key) ?? Buffer.alloc(0);
  at.server.objects.set(key, damage(sound));
  await at.replica.wipe();
  expect((await at.read('main/b.txt')).status).toBe(500);
  const files = await at.replica.files();
  expect(files.filter((path) => path.endsWith('.pack'))).toHaveLength(1);
  expect(files.filter((path) => path.includes('tmp_obj_'))).toEqual([]);
  at.server.objects.set(key, sound);
  at.replica.hub.clock.advance(MINUTE);
  expect(await (await at.read('main/b.txt')).text()).toBe('b');
});

test('a damaged index in the bucket is found as well', async () => {
  await using at = await fixture();
  await at.client.run('.', 'clone', '--quiet', remoteOf(at.alice, REPO), 'clone');
  await writeFile(join(at.client.folder, 'clone', 'b.txt'), 'b');
  await at.client.run('clone', 'add', '--all');
  await at.client.run('clone', 'commit', '--quiet', '--message', 'Push');
  await at.client.run('clone', 'push', '--quiet', 'origin', 'HEAD:main');
  const [key = ''] = [...at.server.objects.keys()].filter((each) => each.endsWith('.idx'));
  const sound = at.server.objects.get(key) ?? Buffer.alloc(0);
  at.server.objects.set(key, Buffer.from(sound.map((byte, place) => (place === 1100 ? byte ^ 1 : byte))));
  await at.replica.wipe();
  expect((await at.read('main/b.txt')).status).toBe(500);
  at.server.objects.set(key, sound);
  at.replica.hub.clock.advance(MINUTE);
  expect(await (await at.read('main/b.txt')).text()).toBe('b');
});

test('what is damaged on the disk is fetched again', async () => {
  await using at = await fixture();
  // Too large for the cache of objects in memory.
  const large = noise(600_000, 'large');
  await commitTo(at.alice, REPO, { 'large.txt': large });
  const isRead = async () => large.equals(Buffer.from(await (await at.read('main/large.txt')).arrayBuffer()));
  const damage = async (change: (bytes: Buffer) => Buffer) => {
    for (const path of await at.replica.files())
      if (path.endsWith('.pack')) await writeFile(path, change(await readFile(path)));
    at.replica.hub.clock.advance(2 * MINUTE);
  };
  await damage(() => Buffer.from('nonsense'));
  expect(await isRead()).toBe(true);
  await damage((bytes) => Buffer.from(bytes.map((byte, place) => (place % 100_000 === 99_999 ? byte ^ 1 : byte))));
  await expect(isRead()).rejects.toThrow();
  await expect.poll(() => isRead().catch(() => false)).toBe(true);
});
