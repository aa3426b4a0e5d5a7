import { existsSync } from 'node:fs';
import { createRepo, deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { createGitUpkeep } from '../src/content/index.ts';
import { contentHub, jsonOf } from './content-hub.ts';
import { knownGitStore } from './git-folder.ts';
import { tokenOf } from './harness.ts';

const DAY = 24 * 60 * 60 * 1000;
const BATCH = JSON.stringify({ operation: 'download', objects: [{ oid: 'a'.repeat(64), size: 1 }] });

async function moved() {
  const at = await contentHub();
  await at.commit({ files: { 'a/b': '1' } });
  await at.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'ada', role: 'admin' }] }] });
  const ada = at.hub.as('ada');
  await moveRepo({ ...ada, from: 'ada/m', to: 'acme/weights' });
  /** Returns the status of an answer and the target of its redirect, without following it. */
  const look = async (path: string, init: RequestInit = {}, user = 'ada') => {
    const headers = { authorization: `Bearer ${tokenOf(user)}`, 'content-type': 'application/json' };
    const answer = await fetch(at.hub.url + path, { redirect: 'manual', ...init, headers });
    return [answer.status, answer.headers.get('location')];
  };
  return { ...at, ada, look };
}

describe('a repository that was moved', () => {
  test.each([
    ['/ada/m/resolve/main/a/b?download=true', '/acme/weights/resolve/main/a/b?download=true'],
    ['/ADA/M/raw/main/a/b', '/acme/weights/raw/main/a/b'],
    ['/api/models/ada/m', '/api/models/acme/weights'],
    ['/api/models/ada/m/revision/refs%2Fheads%2Fmain', '/api/models/acme/weights/revision/refs%2Fheads%2Fmain'],
    ['/api/models/ada/m/tree/main/a?recursive=true', '/api/models/acme/weights/tree/main/a?recursive=true'],
    ['/api/models/ada/m/commits/main', '/api/models/acme/weights/commits/main'],
    ['/api/models/ada/m/treesize/main/a', '/api/models/acme/weights/treesize/main/a'],
    ['/api/models/ada/m/refs', '/api/models/acme/weights/refs'],
    ['/api/models/ada/m/lfs-files', '/api/models/acme/weights/lfs-files'],
  ])('redirects %s', async (path, location) => {
    await using at = await moved();
    expect(await at.look(path)).toEqual([307, location]);
    expect((await at.ask(path)).status).toBe(200);
  });

  test('accepts writes under its old name', async () => {
    await using at = await moved();
    const post = (path: string, body: string) => at.look(path, { method: 'POST', body });
    expect(await post('/api/models/ada/m/preupload/main', '{"files":[]}')).toEqual([
      ...[307, '/api/models/acme/weights/preupload/main'],
    ]);
    expect(await post('/ada/m.git/info/lfs/objects/batch', BATCH)).toEqual([
      ...[307, '/acme/weights.git/info/lfs/objects/batch'],
    ]);
    expect(await post('/api/models/ada/m/branch/dev', '{}')).toEqual([307, '/api/models/acme/weights/branch/dev']);
    expect(await at.look('/api/models/ada/m/commit/main', { method: 'POST', body: '{"summary":"x"}' })).toEqual([
      ...[307, '/api/models/acme/weights/commit/main'],
    ]);
    expect(await at.look('/ada/m/resolve/main/a/b', { method: 'HEAD' })).toEqual([
      ...[307, '/acme/weights/resolve/main/a/b'],
    ]);
  });

  test('is found after several moves, and only by those who may read it', async () => {
    await using at = await moved();
    await moveRepo({ ...at.ada, from: 'acme/weights', to: 'acme/final' });
    for (const old of ['ada/m', 'acme/weights'])
      expect(await at.look(`/api/models/${old}`, {}, 'bob')).toEqual([307, '/api/models/acme/final']);
    await updateRepoSettings({ ...at.ada, type: 'model', repo: 'acme/final', settings: { private: true } });
    for (const old of ['ada/m', 'acme/weights', 'acme/nothing'])
      expect(await at.look(`/api/models/${old}`, {}, 'bob')).toEqual([404, null]);
    expect(await at.look('/api/datasets/ada/m')).toEqual([404, null]);
    await deleteRepo({ ...at.ada, repo: 'acme/final' });
    expect(await at.look('/api/models/ada/m')).toEqual([404, null]);
  });

  test('permanently loses its old name to whoever takes it', async () => {
    await using at = await moved();
    await createRepo({ ...at.ada, repo: 'ada/m' });
    expect(await at.look('/api/models/ada/m')).toEqual([200, null]);
    await deleteRepo({ ...at.ada, repo: 'ada/m' });
    expect(await at.look('/api/models/ada/m')).toEqual([404, null]);
    // After the repository has its first name again, the second name leads to it.
    await moveRepo({ ...at.ada, from: 'acme/weights', to: 'ada/m' });
    expect(await at.look('/api/models/ada/m')).toEqual([200, null]);
    expect(await at.look('/api/models/acme/weights')).toEqual([307, '/api/models/ada/m']);
  });
});

test('the folder of a deleted repository is deleted after a day, and no other', async () => {
  const gitStore = knownGitStore();
  await using at = await contentHub({ gitStore });
  const ada = at.hub.as('ada');
  await createRepo({ ...ada, repo: 'ada/kept' });
  for (const repo of ['models/ada/m', 'models/ada/kept']) await at.commit({ files: { x: '1' } }, { repo });
  const folderOf = async (repo: string) => {
    const { _id } = await jsonOf<{ _id: string }>(await at.ask(`/api/models/${repo}`));
    return gitStore.folderOf(_id);
  };
  const [gone, kept] = [await folderOf('ada/m'), await folderOf('ada/kept')];
  const { database, clock } = at.hub;
  const keepUp = async () => {
    const upkeep = createGitUpkeep({ database, clock, store: gitStore, hold: async () => true });
    while ((await upkeep.round()).done > 0);
  };
  await deleteRepo({ ...ada, repo: 'ada/m' });
  clock.advance(DAY - 1);
  await keepUp();
  expect(existsSync(gone)).toBe(true);
  clock.advance(2);
  await keepUp();
  expect([existsSync(gone), existsSync(kept)]).toEqual([false, true]);
  expect(await database.read.selectFrom('deleted_repositories').select('id').execute()).toEqual([]);
});
