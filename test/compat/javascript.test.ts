import {
  checkRepoAccess,
  createBranch,
  createRepo,
  datasetInfo,
  deleteBranch,
  deleteRepo,
  HubApiError,
  modelInfo,
  type RepoId,
  repoExists,
  spaceInfo,
  whoAmI,
} from '@huggingface/hub';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const model = (name: string): RepoId => ({ type: 'model', name });

test('whoAmI returns the user and the creation time of the token', async () => {
  const me = await whoAmI(world.as('alice'));
  expect(me).toMatchObject({ type: 'user', name: 'alice', orgs: [{ name: 'acme' }] });
  expect(me.auth.accessToken).toMatchObject({ displayName: 'laptop', role: 'write', createdAt: expect.any(Date) });
  expect((await whoAmI(world.as('reader'))).auth.accessToken?.role).toBe('read');
});

describe('a repository', () => {
  test.each<[RepoId['type'], string]>([
    ['model', ''],
    ['dataset', 'datasets/'],
    ['space', 'spaces/'],
    ['bucket', 'buckets/'],
  ])('of type %s is created and deleted', async (type, path) => {
    const repo = { type, name: 'acme/js' };
    const { repoUrl, id } = await createRepo({ ...world.as('alice'), repo, private: true });
    expect(repoUrl).toBe(`${world.hubUrl}/${path}acme/js`);
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    await expect(createRepo({ ...world.as('bob'), repo })).rejects.toMatchObject({ statusCode: 409 });
    await deleteRepo({ ...world.as('alice'), repo });
    await expect(deleteRepo({ ...world.as('alice'), repo })).rejects.toMatchObject({ statusCode: 404 });
  });

  test('exists only for users who may see it', async () => {
    const repo = model('acme/hidden');
    await createRepo({ ...world.as('alice'), repo, visibility: 'private' });
    expect(await repoExists({ ...world.as('bob'), repo })).toBe(true);
    expect(await repoExists({ ...world.as('carol'), repo })).toBe(false);
    expect(await repoExists({ hubUrl: world.hubUrl, repo })).toBe(false);
    await checkRepoAccess({ ...world.as('reader'), repo });
    await expect(checkRepoAccess({ ...world.as('carol'), repo })).rejects.toMatchObject({ statusCode: 404 });
  });

  test('gets a description in the form of its type', async () => {
    const name = 'acme/told';
    const alice = world.as('alice');
    for (const type of ['model', 'dataset'] as const) await createRepo({ ...alice, repo: { type, name } });
    await createRepo({ ...alice, repo: { type: 'space', name }, sdk: 'docker' });
    const told = { id: expect.stringMatching(/^[0-9a-f]{24}$/), name, private: false, likes: 0 };
    const asked = { ...world.as('carol'), name };

    const info = await modelInfo({ ...asked, additionalFields: ['sha', 'author', 'createdAt'] });
    expect(info).toMatchObject({ ...told, downloads: 0, gated: false, author: 'acme', sha: expect.any(String) });
    expect(info.updatedAt.getTime()).toBeGreaterThan(0);
    expect(await datasetInfo(asked)).toMatchObject({ ...told, downloads: 0, gated: false });
    expect(await spaceInfo(asked)).toMatchObject({ ...told, sdk: 'docker' });
    await expect(modelInfo({ ...asked, revision: 'nowhere' })).rejects.toMatchObject({ statusCode: 404 });
  });

  test('has branches', async () => {
    const repo = model('acme/branches');
    const alice = { ...world.as('alice'), repo };
    const exists = async (revision: string) => {
      const found = modelInfo({ ...world.as('carol'), name: repo.name, revision });
      return found.then(() => true).catch((error: HubApiError) => error.statusCode !== 404);
    };
    await createRepo(alice);
    await createBranch({ ...alice, branch: 'feature/one' });
    await createBranch({ ...alice, branch: 'two', revision: 'feature/one' });
    await createBranch({ ...alice, branch: 'empty', empty: true });
    await expect(createBranch({ ...alice, branch: 'two' })).rejects.toMatchObject({ statusCode: 409 });
    await createBranch({ ...alice, branch: 'two', revision: 'main', overwrite: true });
    expect(await Promise.all(['feature/one', 'two', 'empty'].map(exists))).toEqual([true, true, true]);
    await deleteBranch({ ...alice, branch: 'feature/one' });
    expect(await exists('feature/one')).toBe(false);
  });
});

describe('an error', () => {
  test('carries the status, the message and the request id of the hub', async () => {
    const refused = await createBranch({ ...world.as('carol'), repo: model('acme/none'), branch: 'x' }).catch((e) => e);
    expect(refused).toBeInstanceOf(HubApiError);
    expect(refused).toMatchObject({ statusCode: 404, requestId: expect.stringMatching(/^\S+$/) });
    expect(refused.message).toMatch(/^Repository not found/);
    expect(refused.message).toContain(refused.requestId);
  });

  test('says what a token may not do', async () => {
    const repo = model('alice/none');
    await expect(createRepo({ ...world.as('reader'), repo })).rejects.toMatchObject({ statusCode: 403 });
    await expect(createRepo({ ...world.as('carol'), repo })).rejects.toMatchObject({ statusCode: 403 });
    const unknown = { hubUrl: world.hubUrl, accessToken: 'hf_ofNobodyAtAll00' };
    await expect(whoAmI(unknown)).rejects.toMatchObject({ statusCode: 401 });
  });
});

test('hfjs, the command line, creates and deletes branches, and deletes repositories', async () => {
  await createRepo({ ...world.as('alice'), repo: model('acme/hfjs') });
  const hfjs = async (...args: string[]) => (await world.hfjs('alice', args)).status;
  expect(await hfjs('branch', 'create', 'acme/hfjs', 'dev')).toBe(0);
  expect(await hfjs('branch', 'create', 'acme/hfjs', 'dev')).not.toBe(0);
  expect(await hfjs('branch', 'delete', 'acme/hfjs', 'dev')).toBe(0);
  expect(await hfjs('repo', 'delete', 'acme/hfjs')).toBe(0);
  expect(await repoExists({ ...world.as('alice'), repo: model('acme/hfjs') })).toBe(false);
});
