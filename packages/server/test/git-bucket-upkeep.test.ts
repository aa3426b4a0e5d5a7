import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getRepoStorage, listCommits, maintainRepo } from '@moonbase/client/content';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { mergeWithoutGit } from '../src/platform/git/maintenance/merge-packs.ts';
import { idsOf } from '../src/platform/git/packs/object-ids.ts';
import { startS3Server } from './blobs/s3-server.ts';
import { DAY, HOUR, MINUTE } from './clock.ts';
import { ask, commitTo, packsIn, startReplica } from './git-bucket-fixture.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { hasGit, stockGit } from './git-folder.ts';
import { upkeepRowOf } from './git-upkeep-fixture.ts';

const REPO = 'alice/letters';
const COMMITS = 32;

/** Starts a hub that keeps git objects in a bucket, with a model of many commits, a pack each. */
async function fixture(commits = COMMITS) {
  const server = await startS3Server();
  const replica = await startReplica(server);
  await replica.hub.people('alice');
  const alice = replica.hub.as('alice');
  await createRepo({ ...alice, repo: REPO });
  const commit = (number: number) => commitTo(alice, REPO, { [`${number}.txt`]: `commit ${number}` });
  for (let number = 0; number < commits; number++) await commit(number);
  const answer = await ask(replica.hub.url, 'alice', `/api/models/${REPO}`);
  const { _id: id }: { _id: string } = JSON.parse(await answer.text());
  return {
    ...{ server, replica, alice, id, commit },
    read: async (number: number) => (await ask(replica.hub.url, 'alice', `/${REPO}/resolve/main/${number}.txt`)).text(),
    states: async () => {
      const rows = await replica.hub.database.read.selectFrom('repo_packs').select('state').execute();
      const counts: Record<string, number> = {};
      for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
      return counts;
    },
    async [Symbol.asyncDispose]() {
      await replica[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('many small packs become one, and go a day later, while others read and commit', async () => {
  await using at = await fixture();
  const { server, replica, alice } = at;
  expect(packsIn(server)).toHaveLength(COMMITS);
  const [, ...texts] = await Promise.all([replica.maintain(), at.commit(100), at.read(0), at.read(COMMITS - 1)]);
  expect(texts.slice(1)).toEqual(['commit 0', `commit ${COMMITS - 1}`]);
  const { replaced = 0, stored = 0 } = await at.states();
  expect(replaced).toBeGreaterThanOrEqual(COMMITS);
  expect(stored).toBeLessThanOrEqual(2);

  await replica.wipe();
  expect(await at.read(5)).toBe('commit 5');
  expect((await replica.files()).filter((path) => path.endsWith('.pack'))).toHaveLength(stored);
  replica.hub.clock.advance(DAY - HOUR);
  await replica.maintain();
  expect(packsIn(server)).toHaveLength(COMMITS + 2);
  replica.hub.clock.advance(2 * HOUR);
  await replica.maintain();
  expect(packsIn(server)).toHaveLength(stored);
  expect(await at.states()).toEqual({ stored, deleting: replaced });
  replica.hub.clock.advance(4 * HOUR);
  await replica.maintain();
  expect(await at.states()).toEqual({ stored });

  await replica.wipe();
  expect(await listCommits({ ...alice, type: 'model', repo: REPO, revision: 'main' })).toHaveLength(COMMITS + 2);
  if (!hasGit) return;
  await using client = await gitClient();
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO), 'clone');
  expect(await client.run('clone', 'fsck', '--full', '--strict')).toBe('');
});

test.skipIf(!hasGit)(
  'a folder that has all the small packs is read at once, and gets the new pack later in their place',
  async () => {
    await using at = await fixture();
    const { server, replica, id } = at;
    await replica.maintain();
    // This disk has the small packs only.
    const folder = replica.store.packFolderOf(id);
    const [packed = ''] = [...server.objects.keys()].filter((key) => key.endsWith('.idx'));
    const name = packed.replace(/.*\//, '').replace('.idx', '');
    await replica.wipe();
    await mkdir(folder, { recursive: true });
    for (const key of packsIn(server)) {
      if (key.includes(name)) continue;
      const bytes = server.objects.get(key) ?? Buffer.alloc(0);
      await writeFile(join(folder, key.replace(/.*\//, '')), bytes);
    }
    for (const file of await readdir(folder)) stockGit(replica.store, id, 'index-pack', join(folder, file));
    const before = server.requests.length;
    server.control.fault = (method, key) => (method === 'GET' && key.includes(name) ? 'hang' : undefined);
    const answer = await ask(replica.hub.url, 'alice', `/${REPO}/resolve/${'1'.repeat(40)}/1.txt`);
    expect(answer.status).toBe(404);
    expect(await at.read(3)).toBe('commit 3');
    await expect.poll(() => server.requests.slice(before)).toEqual([`GET git/${id}/${name}.pack`]);
  },
);

test('writers see how many packs there are, and maintenance on request writes few packs into one as well', async () => {
  await using at = await fixture(3);
  const { server, replica } = at;
  const repo = { type: 'model', repo: REPO } as const;
  const storage = () => getRepoStorage({ ...at.alice, ...repo });
  await replica.hub.drain();
  replica.hub.clock.advance(5 * MINUTE);
  await replica.maintain();
  const packedBytes = packsIn(server).reduce((sum, key) => sum + (server.objects.get(key)?.length ?? 0), 0);
  const before = await storage();
  expect(before).toMatchObject({ usedStorage: packedBytes, git: { looseObjects: 0, packs: 3, packedBytes } });
  expect(before.maintenance).toEqual({ failures: 0 });

  await maintainRepo({ ...replica.hub.admin, ...repo });
  await replica.maintain();
  const after = await storage();
  expect(after.git.packs).toBe(1);
  expect(after.maintenance).toMatchObject({ failures: 0, lastAt: expect.any(String), durationMs: expect.any(Number) });
});

test('a repository whose packs cannot be combined shows why, and the others are looked at', async () => {
  await using at = await fixture();
  const { server, replica, alice } = at;
  await createRepo({ ...alice, repo: 'alice/notes' });
  for (let number = 0; number < COMMITS; number++) await commitTo(alice, 'alice/notes', { 'a.txt': `${number}` });
  await replica.wipe();
  const [first = ''] = packsIn(server, at.id);
  server.objects.set(first, Buffer.from('nonsense'));
  await replica.maintain();
  const rowOf = (repoId: string) => upkeepRowOf(replica.hub, repoId);
  expect(await rowOf(at.id)).toMatchObject({ failures: 1, fault: expect.stringContaining('damaged') });
  const { _id: other }: { _id: string } = JSON.parse(
    await (await ask(replica.hub.url, 'alice', '/api/models/alice/notes')).text(),
  );
  expect(await rowOf(other)).toMatchObject({ failures: 0, packs: 1 });
});

test('packs that a change left without a row are deleted after a day, and no others', async () => {
  await using at = await fixture(3);
  const { server, replica, id } = at;
  const left = [`git/${id}/pack-${'1'.repeat(40)}`, `git/${'e'.repeat(24)}/pack-${'2'.repeat(40)}`];
  for (const key of left) {
    server.objects.set(`${key}.pack`, Buffer.from('x'));
    server.objects.set(`${key}.idx`, Buffer.from('x'));
  }
  server.objects.set('git/of-somebody-else', Buffer.from('x'));
  const others = [...server.objects.keys()].filter((key) => !left.some((each) => key.startsWith(each)));
  const lists = () => server.requests.filter((request) => request === 'GET ').length;
  await replica.maintain();
  expect(lists()).toBeGreaterThan(0);
  expect([...server.objects.keys()]).toEqual(expect.arrayContaining([...others, `${left[0]}.pack`]));
  server.control.agedMs = 2 * DAY;
  replica.hub.clock.advance(DAY);
  await replica.maintain();
  expect(others.filter((key) => !server.objects.has(key))).toEqual([]);
  expect([...server.objects.keys()].filter((key) => left.some((each) => key.startsWith(each)))).toEqual([]);
  expect((await at.states()).deleting).toBe(2);
});

test('a push of what is being deleted is refused for as long as it takes', async () => {
  await using at = await fixture();
  const { replica, id } = at;
  const { database, clock } = replica.hub;
  const [row] = await database.read.selectFrom('repo_packs').selectAll().orderBy('created_at').execute();
  const name = row?.name ?? '';
  await database.transaction((tx) =>
    tx.updateTable('repo_packs').set({ state: 'deleting', changed_at: clock.now() }).where('name', '=', name).execute(),
  );
  const keep = () => replica.keep(id, name);
  await expect(keep()).rejects.toMatchObject({ status: 503 });
  await replica.maintain();
  expect(packsIn(at.server).some((key) => key.includes(name))).toBe(false);
  clock.advance(2 * HOUR);
  await replica.maintain();
  await expect(keep()).rejects.toMatchObject({ status: 503 });
  clock.advance(2 * HOUR);
  await replica.maintain();
  await keep();
  expect(packsIn(at.server).some((key) => key.includes(name))).toBe(true);
});

test('packs become one without stock git as well', async () => {
  await using at = await fixture();
  const { store } = at.replica;
  const gitDir = store.folderOf(at.id);
  const names = (await readdir(store.packFolderOf(at.id)))
    .filter((file) => file.endsWith('.idx'))
    .map((file) => file.slice(0, -'.idx'.length));
  const folder = store.temporaryFolder(at.id);
  await mergeWithoutGit({ gitDir, repository: store.open(at.id), names, folder }, store.files);
  const idsIn = async (path: string) => {
    await using index = await open(path, 'r');
    return (await idsOf(index)).toString('hex').match(/.{40}/g) ?? [];
  };
  const packFolder = join(folder, 'objects', 'pack');
  const [merged = ''] = (await readdir(packFolder)).filter((file) => file.endsWith('.idx'));
  const all = await Promise.all(names.map((name) => idsIn(join(store.packFolderOf(at.id), `${name}.idx`))));
  expect(await idsIn(join(packFolder, merged))).toEqual([...new Set(all.flat())].toSorted());
  await rm(folder, { recursive: true });
});
