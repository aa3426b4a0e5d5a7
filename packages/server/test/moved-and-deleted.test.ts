import { existsSync } from 'node:fs';
import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { createBucket, createRepo, deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { allRoutes } from '@moonbase/contract/routes';
import { describe, expect, test } from 'vitest';
import { contentHub, jsonOf } from './content-hub.ts';
import { knownGitStore } from './git-folder.ts';
import { upkeepOf } from './git-upkeep-fixture.ts';
import { tokenOf } from './harness.ts';

const DAY = 24 * 60 * 60 * 1000;
/** The bodies of routes that refuse an empty one. */
const BODIES: Readonly<Record<string, object>> = {
  createMirror: { url: 'http://127.0.0.1:9/letters' },
  createTag: { tag: 'v1' },
  createCommit: { summary: 'x' },
  preupload: { files: [] },
  getPathsInfo: { paths: ['x'] },
  getBucketPathsInfo: { paths: ['x'] },
  verifyLfsUpload: { oid: 'a'.repeat(64), size: 1 },
  verifyLfsUploadOfType: { oid: 'a'.repeat(64), size: 1 },
  lockFile: { path: 'x' },
  lockFileOfType: { path: 'x' },
  duplicateRepo: { repository: 'ada/copy' },
  duplicateLargeFiles: { target: { type: 'dataset', name: 'ada/other' }, files: [{ sha256: 'a'.repeat(64) }] },
  deleteLargeFiles: { deletions: { sha: ['a'.repeat(64)] } },
  setRepoResourceGroup: { resourceGroupId: null },
  createDiscussion: { title: 'Title', description: '.' },
  commentDiscussion: { comment: '.' },
  editComment: { content: '.' },
  changeDiscussionStatus: { status: 'closed' },
  renameDiscussion: { title: 'Another' },
  pinDiscussion: { pinned: true },
  setSpaceVariable: { key: 'K' },
  deleteSpaceVariable: { key: 'K' },
  setSpaceSecret: { key: 'S' },
  deleteSpaceSecret: { key: 'S' },
  setSpaceVolumes: { volumes: [{ type: 'model', source: 'acme/weights', mountPath: '/m' }] },
  requestSpaceHardware: { flavor: 't4-small' },
  setSpaceSleepTime: { seconds: 60 },
  setSpaceDevMode: { enabled: true },
  requestSpaceStorage: { tier: 'small' },
  handleAccessRequest: { user: 'bob', status: 'accepted' },
  handleAccessRequests: { status: 'accepted', requests: [{ user: 'bob' }] },
  grantAccess: { user: 'bob' },
};
/** Routes with a repository in their path that need a token, except the one that creates what it names. */
const ROUTES = allRoutes.filter(
  ({ id, path, authority }) =>
    path.includes('/{namespace}/{repo}') && !['public', 'site-admin'].includes(authority) && id !== 'createBucket',
);
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

  test('redirects every route under its old name, for those who may read it alone', async () => {
    await using at = await moved();
    const { ada } = at;
    for (const type of ['dataset', 'space', 'bucket'] as const) {
      await (type === 'bucket' ? createBucket({ ...ada, repo: 'ada/m' }) : createRepo({ ...ada, type, repo: 'ada/m' }));
      await moveRepo({ ...ada, type, from: 'ada/m', to: 'acme/weights' });
    }
    const request = ({ id, method, path }: (typeof ROUTES)[number], repo: string, user: string) => {
      const url = path
        .replace('{repoType}', 'datasets')
        .replace('{namespace}/{repo}', repo)
        .replace('{rev}', id === 'compareRevisions' ? 'main..x' : 'main')
        .replace('{num}', '1')
        .replace('{kind}', 'run')
        .replace('{status}', 'pending')
        .replace('{sha}', 'a'.repeat(64))
        .replace('{lockId}', 'f'.repeat(24))
        .replace('{commentId}', 'f'.repeat(24));
      const query = id.startsWith('advertiseGit') ? '?service=git-upload-pack' : '';
      const given = id.startsWith('lfsBatch') ? BATCH : JSON.stringify(BODIES[id] ?? {});
      const init = { method, redirect: 'manual' as const, ...(method !== 'GET' && { body: given }) };
      return {
        url: url + query,
        answer: at.ask(url + query, { ...init, headers: { 'content-type': 'application/json' } }, user),
      };
    };
    const found = await Promise.all(
      ROUTES.map(async (route) => {
        const { url, answer } = request(route, 'ada/m', 'ada');
        const { status, headers } = await answer;
        return [route.id, status, headers.get('location') === url.replace('ada/m', 'acme/weights')];
      }),
    );
    expect(found).toEqual(ROUTES.map(({ id }) => [id, 307, true]));

    for (const type of ['model', 'dataset', 'space', 'bucket'] as const)
      await updateRepoSettings({ ...ada, type, repo: 'acme/weights', settings: { private: true } });
    const seen = async (route: (typeof ROUTES)[number], repo: string) => {
      const answer = await request(route, repo, 'bob').answer;
      return [route.id, answer.status, answer.headers.get('x-error-code'), await answer.text()];
    };
    for (const route of ROUTES) expect(await seen(route, 'ada/m')).toEqual(await seen(route, 'ada/x'));
  });

  test('takes what clients write under its old name', async () => {
    await using at = await moved();
    const { num } = await createDiscussion({
      ...at.ada,
      type: 'model',
      repo: 'ada/m',
      title: 'Title',
      description: 'D',
    });
    await commentDiscussion({ ...at.ada, type: 'model', repo: 'ada/m', num, comment: 'C' });
    await updateRepoSettings({ ...at.ada, type: 'model', repo: 'ada/m', settings: { gated: 'auto' } });
    expect((await at.commit({ files: { c: '2' } })).status).toBe(200);
    const { gated, sha } = await jsonOf<{ gated: string; sha: string }>(await at.ask('/api/models/acme/weights'));
    expect([gated, sha]).toEqual(['auto', (await at.info()).sha]);
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
  const keepUp = () => upkeepOf(at.hub, gitStore).finish();
  await deleteRepo({ ...ada, repo: 'ada/m' });
  clock.advance(DAY - 1);
  await keepUp();
  expect(existsSync(gone)).toBe(true);
  clock.advance(2);
  await keepUp();
  expect([existsSync(gone), existsSync(kept)]).toEqual([false, true]);
  expect(await database.read.selectFrom('deleted_repositories').select('id').execute()).toEqual([]);
});
