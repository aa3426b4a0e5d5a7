import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lfsBatch } from '@moonbase/client/large-files';
import { deleteRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { createRepositoryObjects } from '../src/content/objects.ts';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import { contentHub, jsonOf } from './content-hub.ts';
import { hasGit, knownGitStore, stockGit } from './git-folder.ts';
import { upkeepOf } from './git-upkeep-fixture.ts';

test('loose objects are packed while others read and commit, and stock git finds all of them', async () => {
  const gitStore = knownGitStore();
  await using at = await contentHub({ gitStore });
  for (let number = 0; number < 10; number++)
    await at.commit({
      files: Object.fromEntries(Array.from({ length: 40 }, (_, file) => [`${number}/${file}`, `${number} ${file}`])),
    });
  const { _id } = await jsonOf<{ _id: string }>(await at.ask('/api/models/ada/m'));
  const before = await at.tree('main?recursive=1');
  const [packed, ...answers] = await Promise.all([
    gitStore.packLoose(_id, () => false),
    ...Array.from({ length: 10 }, (_, number) => at.commit({ files: { [`during-${number}`]: `${number}` } })),
    ...Array.from({ length: 10 }, (_, number) => at.ask(`/ada/m/resolve/main/${number}/7`)),
  ]);
  expect(packed).toBeGreaterThan(400);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await gitStore.packLoose(_id, () => false);
  expect(await gitStore.packLoose(_id, () => false)).toBe(0);
  expect(await at.tree('main?recursive=1')).toHaveLength(before.length + 10);
  for (const number of [0, 5, 9]) {
    expect(await (await at.ask(`/ada/m/resolve/main/${number}/39`)).text()).toBe(`${number} 39`);
    expect(await (await at.ask(`/ada/m/resolve/main/during-${number}`)).text()).toBe(String(number));
  }
  await at.commit({ files: { after: '1' } });
  if (hasGit) expect(stockGit(gitStore, _id, 'fsck', '--full', '--strict')).not.toMatch(/missing|broken|error/);
});

test('the upkeep packs repositories with many loose objects', async () => {
  const gitStore = knownGitStore();
  await using at = await contentHub({ gitStore });
  for (let number = 0; number < 18; number++)
    await at.commit({
      files: Object.fromEntries(Array.from({ length: 45 }, (_, file) => [`${file}`, `${number} ${file}`])),
    });
  const { _id } = await jsonOf<{ _id: string }>(await at.ask('/api/models/ada/m'));
  expect((await gitStore.count(_id)).looseObjects).toBeGreaterThan(500);
  await upkeepOf(at.hub, gitStore).finish();
  expect(await gitStore.count(_id)).toMatchObject({ looseObjects: 0, packs: 1 });
  expect(await (await at.ask('/ada/m/resolve/main/44')).text()).toBe('17 44');
});

test('the upkeep deletes files that a crash left an hour ago, and nothing else', async () => {
  const gitStore = knownGitStore();
  await using at = await contentHub({ gitStore });
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, file) => [`${file}`, String(file)]));
  await at.commit({ files });
  const { _id } = await jsonOf<{ _id: string }>(await at.ask('/api/models/ada/m'));
  const folder = gitStore.folderOf(_id);
  const filesIn = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted();
  await expect.poll(filesIn).toContain(join(folder, 'packed-refs'));
  const before = await filesIn();
  const orphan = join(folder, 'objects', 'pack', `pack-${'1'.repeat(40)}.pack`);
  const leftovers = ['.', 'objects', 'objects/pack'].map((each) => join(folder, each, `tmp_obj_${'0'.repeat(18)}`));
  const fresh = join(folder, 'objects', `tmp_obj_${'1'.repeat(18)}`);
  for (const path of [...leftovers, orphan, fresh]) await writeFile(path, 'unfinished');
  const now = at.hub.clock.now() / 1000;
  for (const path of [...before, ...leftovers, orphan]) await utimes(path, now - 3601, now - 3601);
  await utimes(fresh, now - 3599, now - 3599);
  await upkeepOf(at.hub, gitStore).finish();
  expect(await filesIn()).toEqual([...before, fresh].toSorted());
  expect(await (await at.ask('/ada/m/resolve/main/59')).text()).toBe('59');
});

test('the folder of a deleted repository keeps its refs, also if they were about to be written', async () => {
  const store = knownGitStore();
  await using at = await contentHub({ gitStore: store });
  await at.commit({ files: { 'a.txt': 'a' } });
  const { _id } = await jsonOf<{ _id: string }>(await at.ask('/api/models/ada/m'));
  const refs = () => readFile(join(store.folderOf(_id), 'packed-refs'), 'utf8');
  await expect.poll(() => refs().catch(() => '')).toContain('refs/heads/main');
  await deleteRepo({ ...at.hub.as('ada'), repo: 'ada/m' });
  const onRefsFailed = (error: unknown) => expect.unreachable(String(error));
  await createRepositoryObjects({ database: at.hub.database, store, onRefsFailed }).prepareForGit(_id);
  expect(await refs()).toContain('refs/heads/main');
});

test('two uploads at once cannot exceed a quota together', async () => {
  await using at = await contentHub({}, { MOONBASE_QUOTA_USER_GIB: '1' });
  const first = await at.upload(bytesOf(10));
  const size = 1024 ** 3 - 1500;
  await at.hub.database.transaction((tx) =>
    tx.updateTable('repo_files').set({ size }).where('sha256', '=', first).execute(),
  );
  const files = [bytesOf(1000), bytesOf(1001)];
  const urls = await Promise.all(
    files.map(async (bytes) => {
      const { sha256: oid } = nameOf(bytes);
      const objects = [{ oid, size: bytes.length }];
      const answer = await lfsBatch({ ...at.hub.as('ada'), repo: 'ada/m', operation: 'upload', objects });
      return answer.objects[0]?.actions?.upload?.href ?? '';
    }),
  );
  const answers = await Promise.all(
    urls.map((url, index) => fetch(url, { method: 'PUT', body: new Uint8Array(files[index] ?? []) })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 413]));
  expect((await at.info()).usedStorage).toBeLessThanOrEqual(1024 ** 3);
});
