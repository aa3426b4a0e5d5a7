import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { duplicateRepo, listCommits, listTree } from '@moonbase/client/content';
import { mergePullRequest } from '@moonbase/client/discussions';
import { createRepo, createTag, deleteRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { startS3Server } from './blobs/s3-server.ts';
import { DAY, HOUR } from './clock.ts';
import { ask, commitTo, noise, packsIn, type Replica, startReplica } from './git-bucket-fixture.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { collect } from './harness.ts';

const REPO = 'alice/letters';

/** Starts a hub that keeps git objects in a bucket, with the model `alice/letters`. */
async function fixture(settings: Readonly<Record<string, string>> = {}) {
  const server = await startS3Server();
  const replica = await startReplica(server, { settings });
  await replica.hub.people('alice', 'bob');
  const alice = replica.hub.as('alice');
  const client = await gitClient();
  await createRepo({ ...alice, repo: REPO });
  return {
    ...{ server, replica, hub: replica.hub, alice, client },
    commit: (files: Readonly<Record<string, string | Buffer>>) => commitTo(alice, REPO, files),
    text: (path: string) => textAt(replica, path),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await replica[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function textAt({ hub }: Replica, path: string, repo = REPO): Promise<string | number> {
  const answer = await ask(hub.url, 'alice', `/${repo}/resolve/${path}`);
  return answer.status === 200 ? answer.text() : answer.status;
}

async function repoIdOf({ hub }: Replica, repo = REPO): Promise<string> {
  const answer = await ask(hub.url, 'alice', `/api/models/${repo}`);
  const { _id }: { _id: string } = JSON.parse(await answer.text());
  return _id;
}

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`many/${at}.txt`, `file ${at}`]));

test('every change is in the bucket once it is acknowledged, and survives the loss of the disk', async () => {
  await using at = await fixture();
  const { alice, replica, server, client } = at;
  expect(packsIn(server)).toEqual([]);
  const first = await at.commit({ 'a.txt': 'first' });
  expect(packsIn(server)).toHaveLength(1);
  await replica.wipe();
  expect(await at.text('main/a.txt')).toBe('first');
  await at.commit(many(80));
  await createTag({ ...alice, type: 'model', repo: REPO, revision: 'main', tag: 'v1', message: 'The first' });
  await replica.wipe();
  const { pullRequestUrl = '' } = await commitTo(alice, REPO, { 'b.txt': 'b' }, { createPullRequest: true });
  await replica.wipe();
  await mergePullRequest({ ...alice, type: 'model', repo: REPO, num: Number(pullRequestUrl.split('/').at(-1)) });

  await replica.wipe();
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO), 'clone');
  expect(await client.run('clone', 'fsck', '--full', '--strict')).toBe('');
  expect(await client.run('clone', 'tag', '--list', '--format=%(contents:subject)')).toBe('The first');
  await writeFile(join(client.folder, 'clone', 'pushed.txt'), 'pushed');
  await client.run('clone', 'add', '--all');
  await client.run('clone', 'commit', '--quiet', '--message', 'Push');
  await client.run('clone', 'push', '--quiet', 'origin', 'HEAD:main');

  await replica.wipe();
  expect(await at.text('main/pushed.txt')).toBe('pushed');
  expect(await at.text(`${first.commitOid.slice(0, 9)}/a.txt`)).toBe('first');
  expect(await at.text('v1/many/79.txt')).toBe('file 79');
  expect(
    await collect(listTree({ ...alice, type: 'model', repo: REPO, revision: 'main', recursive: true })),
  ).toHaveLength(85);
  await replica.wipe();
  expect(await listCommits({ ...alice, type: 'model', repo: REPO, revision: 'main' })).toHaveLength(6);
  await replica.wipe();
  const compared = await ask(at.hub.url, 'alice', `/api/models/${REPO}/compare/v1..main`);
  expect(await compared.text()).toContain('+pushed');
});

test('what is on the disk is read without the bucket, and without its list of packs', async () => {
  await using at = await fixture();
  await at.commit({ 'a.txt': 'a' });
  await at.replica.wipe();
  expect(await at.text('main/a.txt')).toBe('a');
  const before = at.server.requests.length;
  for (let time = 0; time < 3; time++) expect(await at.text('main/a.txt')).toBe('a');
  await at.client.run('.', 'clone', '--quiet', remoteOf(at.alice, REPO), 'clone');
  expect(at.server.requests.slice(before)).toEqual([]);
  expect((await at.replica.files()).filter((path) => path.endsWith('.pack'))).toHaveLength(1);
});

test('a repository without commits of its own needs no pack, also for stock git', async () => {
  await using at = await fixture();
  await at.client.run('.', 'clone', '--quiet', remoteOf(at.alice, REPO), 'clone');
  expect(await readFile(join(at.client.folder, 'clone', '.gitattributes'), 'utf8')).toContain('*.safetensors');
  expect(packsIn(at.server)).toEqual([]);
});

test('repositories that were used longest ago leave the disk, and come back', async () => {
  await using at = await fixture({ MOONBASE_GIT_CACHE_MIB: '1' });
  const { alice, replica, hub } = at;
  const repos = ['alice/one', 'alice/two', 'alice/three'];
  const onDisk = async () => {
    const ids = await Promise.all(repos.map((repo) => repoIdOf(replica, repo)));
    const files = await replica.files();
    return repos.filter((_, number) => files.some((path) => path.includes(`${ids[number]}.git/objects/pack/`)));
  };
  for (const repo of repos) {
    await createRepo({ ...alice, repo });
    await commitTo(alice, repo, { 'noise.txt': noise(600_000, repo) });
    hub.clock.advance(2 * 60_000);
  }
  await expect.poll(onDisk).toEqual(['alice/three']);
  for (const repo of ['alice/one', 'alice/two']) {
    const answer = await ask(hub.url, 'alice', `/${repo}/resolve/main/noise.txt`);
    expect(noise(600_000, repo).equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
    hub.clock.advance(2 * 60_000);
  }
  // A repository that is still being written is left for the next time.
  const later = () => {
    hub.clock.advance(2 * 60_000);
    return onDisk();
  };
  await expect.poll(later).toEqual(['alice/two']);
});

test('a copy has its own packs, and they go a day after their repository', async () => {
  await using at = await fixture();
  const { alice, replica, server, hub } = at;
  await at.commit({ 'a.txt': 'a' });
  await at.commit(many(80));
  await duplicateRepo({ ...alice, type: 'model', repo: REPO, to: 'alice/copy' });
  const [original, copy] = [await repoIdOf(replica), await repoIdOf(replica, 'alice/copy')];
  expect(packsIn(server, copy)).toHaveLength(packsIn(server, original).length);
  await deleteRepo({ ...alice, repo: REPO });
  hub.clock.advance(DAY - HOUR);
  await replica.maintain();
  expect(packsIn(server, original)).toHaveLength(2);
  hub.clock.advance(2 * HOUR);
  await replica.maintain();
  expect(packsIn(server, original)).toEqual([]);
  expect(await replica.store.exists(original)).toBe(false);
  await replica.wipe();
  expect(await textAt(replica, 'main/many/7.txt', 'alice/copy')).toBe('file 7');
});

test('nobody gets anything of a private repository by the ids of its objects', async () => {
  await using at = await fixture();
  await createRepo({ ...at.alice, repo: 'alice/secret', private: true });
  const { commitOid } = await commitTo(at.alice, 'alice/secret', { 'a.txt': 'secret' });
  await at.commit({ 'a.txt': 'open' });
  await at.replica.wipe();
  for (const path of [`alice/secret/resolve/main/a.txt`, `${REPO}/resolve/${commitOid}/a.txt`])
    expect((await ask(at.hub.url, 'bob', `/${path}`)).status).toBe(404);
  const [id, open] = [await repoIdOf(at.replica, 'alice/secret'), await repoIdOf(at.replica)];
  expect(await readdir(at.replica.store.packFolderOf(open))).toHaveLength(2);
  await expect(readdir(at.replica.store.packFolderOf(id))).rejects.toThrow('ENOENT');
});
