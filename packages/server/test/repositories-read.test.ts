import { createDiscussion } from '@moonbase/client/discussions';
import {
  createBranch,
  createBucket,
  createRepo,
  createTag,
  deleteBranch,
  getBucket,
  getRepo,
  getRepoAtRevision,
  listRefs,
  updateRepoSettings,
} from '@moonbase/client/repositories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { MINUTE } from './clock.ts';
import { startHub, type TestHub } from './harness.ts';

const LETTERS = { type: 'model', repo: 'alice/letters' } as const;
const SHA = expect.stringMatching(/^[0-9a-f]{40}$/);
const NO_REPO = { status: 404, code: 'RepoNotFound' };
const NO_REVISION = { status: 404, code: 'RevisionNotFound' };
const AT_NOON = '2026-01-05T12:00:00.000Z';
const A_MINUTE_LATER = '2026-01-05T12:01:00.000Z';

async function alicesHub() {
  const hub = await startHub();
  await hub.people('alice', 'bob');
  const alice = hub.as('alice');
  const { id } = await createRepo({ ...alice, repo: LETTERS.repo });
  return { hub, alice, bob: hub.as('bob'), id, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

/** The tests share one hub with a repository of each type and change nothing. */
let hub: TestHub;
let ids: Record<string, string>;
const alice = () => hub.as('alice');
beforeAll(async () => {
  hub = await startHub();
  await hub.people('alice', 'bob');
  ids = {};
  for (const type of ['model', 'dataset', 'space', 'kernel', 'bucket'] as const) {
    const { id } = await createRepo({
      ...alice(),
      type,
      repo: 'alice/things',
      ...(type === 'space' && { sdk: 'static' }),
    });
    ids[type] = id;
  }
});
afterAll(() => hub[Symbol.asyncDispose]());

const info = (type: 'model' | 'dataset' | 'space' | 'kernel', expand?: string[]) =>
  getRepo({ ...alice(), type, repo: 'alice/things', expand });
const statusOf = async (request: Parameters<typeof ask>[1]) => (await ask(alice(), request)).status;

describe('a repository', () => {
  const common = {
    id: 'alice/things',
    author: 'alice',
    sha: SHA,
    createdAt: AT_NOON,
    lastModified: AT_NOON,
    private: false,
    disabled: false,
    likes: 0,
    gated: false,
    tags: [],
    siblings: [{ rfilename: '.gitattributes' }],
    usedStorage: 0,
  };

  test('of each type is returned in the form that clients read', async () => {
    expect(await info('model')).toEqual({
      ...common,
      _id: ids.model,
      modelId: 'alice/things',
      downloads: 0,
    });
    expect(await info('dataset')).toEqual({ ...common, _id: ids.dataset, downloads: 0 });
    expect(await info('space')).toEqual({
      ...common,
      _id: ids.space,
      siblings: [...common.siblings, { rfilename: 'README.md' }],
      sdk: 'static',
      subdomain: 'alice-things',
      runtime: expect.objectContaining({ stage: 'PAUSED', volumes: [] }),
    });
    const { createdAt: _, disabled: __, tags: ___, siblings: ____, usedStorage: _____, ...ofKernel } = common;
    expect(await info('kernel')).toEqual({
      ...ofKernel,
      _id: ids.kernel,
      repoType: 'kernel',
      downloads: 0,
      isLikedByUser: false,
    });
  });

  test('that is a bucket has its own form, and is found only as a bucket', async () => {
    expect(await getBucket({ ...alice(), repo: 'alice/things' })).toEqual({
      _id: ids.bucket,
      author: 'alice',
      id: 'alice/things',
      private: false,
      createdAt: AT_NOON,
      updatedAt: AT_NOON,
      size: 0,
      totalFiles: 0,
      repoType: 'bucket',
      cdnRegions: [],
    });
    await createBucket({ ...alice(), repo: 'alice/box' });
    await expect(getRepo({ ...alice(), type: 'model', repo: 'alice/box' })).rejects.toMatchObject(NO_REPO);
    await createRepo({ ...alice(), repo: 'alice/no-box' });
    await expect(getBucket({ ...alice(), repo: 'alice/no-box' })).rejects.toMatchObject(NO_REPO);
    expect(await statusOf('GET /api/buckets/alice/things/refs')).toBe(400);
  });

  test('is found in any letter case, and shown under the name as it was given', async () => {
    expect(await getRepo({ ...alice(), type: 'model', repo: 'ALICE/Things' })).toMatchObject({ id: 'alice/things' });
  });

  test('shows its settings', async () => {
    await using home = await alicesHub();
    await updateRepoSettings({ ...home.alice, ...LETTERS, settings: { private: true, gated: 'manual' } });
    expect(await getRepo({ ...home.alice, ...LETTERS })).toMatchObject({ private: true, gated: 'manual' });
    await expect(getRepo({ ...home.bob, ...LETTERS })).rejects.toMatchObject(NO_REPO);
  });
});

describe('`expand`', () => {
  test('returns the names and the requested fields, as far as the hub has them', async () => {
    const names = { _id: ids.model, id: 'alice/things' };
    expect(await info('model', ['sha'])).toEqual({ ...names, sha: SHA });
    expect(await info('model', ['likes', 'downloadsAllTime', 'cardData', 'likes'])).toEqual({
      ...names,
      likes: 0,
      downloadsAllTime: 0,
    });
  });

  test.each([
    ['model', 'nonsense'],
    ['model', ''],
    ['model', 'subdomain'],
    ['dataset', 'spaces'],
    ['space', 'downloads'],
    ['kernel', 'sha'],
  ] as const)('of a %s refuses %j', async (type, name) => {
    await expect(info(type, ['author', name])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"expand" must be one of ['),
    });
  });

  test('is validated before the repository is looked up', async () => {
    expect(await statusOf('GET /api/models/alice/none?expand=nonsense')).toBe(400);
    expect(await statusOf('GET /api/models/alice/none?expand=sha')).toBe(404);
  });

  test('is not required: `blobs` adds sizes and ids, and other parameters of clients change nothing', async () => {
    const answer = await ask(alice(), 'GET /api/models/alice/things?blobs=True&securityStatus=false&expand[]=likes');
    const blobs = { size: expect.any(Number), blobId: expect.stringMatching(/^[0-9a-f]{40}$/) };
    expect(await answer.json()).toEqual({
      ...(await info('model')),
      siblings: [{ rfilename: '.gitattributes', ...blobs }],
    });
  });

  test('is not required for the state of scans, of which there are none', async () => {
    const answer = await ask(alice(), 'GET /api/models/alice/things?securityStatus=true');
    const securityRepoStatus = { scansDone: false, filesWithIssues: [] };
    expect(await answer.json()).toEqual({ ...(await info('model')), securityRepoStatus });
  });
});

describe('a revision', () => {
  const at = async (home: Awaited<ReturnType<typeof alicesHub>>, revision: string) =>
    (await getRepoAtRevision({ ...home.alice, ...LETTERS, revision, expand: ['sha'] })) as { sha?: string };

  test('may be a branch, a tag, a commit, a full ref, the ref of a pull request, and HEAD', async () => {
    await using home = await alicesHub();
    const { sha: main = '' } = await at(home, 'main');
    await createBranch({ ...home.alice, ...LETTERS, branch: 'tried/out', emptyBranch: true });
    await createTag({ ...home.alice, ...LETTERS, tag: 'v1', revision: 'tried/out' });
    await createDiscussion({ ...home.bob, ...LETTERS, title: 'A change', description: '', pullRequest: true });
    const { sha: tried = '' } = await at(home, 'tried/out');
    expect(tried).not.toBe(main);
    for (const name of ['v1', 'refs/heads/tried/out', 'refs/tags/v1', tried])
      expect([name, await at(home, name)]).toMatchObject([name, { sha: tried }]);
    for (const name of ['HEAD', 'refs/pr/1', main])
      expect([name, await at(home, name)]).toMatchObject([name, { sha: main }]);
  });

  test('may contain unescaped slashes', async () => {
    await using home = await alicesHub();
    const answer = await ask(home.alice, 'GET /api/models/alice/letters/revision/refs/heads/main');
    expect(await answer.json()).toEqual(await getRepo({ ...home.alice, ...LETTERS }));
  });

  test.each(['none', 'refs/pr/1', 'refs/heads', '0'.repeat(40), 'Main', 'a b'])(
    'that is unknown is not found: %s',
    async (revision) => {
      for (const type of ['model', 'kernel'] as const)
        await expect(getRepoAtRevision({ ...alice(), type, repo: 'alice/things', revision })).rejects.toMatchObject(
          NO_REVISION,
        );
    },
  );

  test('of a missing repository is reported as a missing repository', async () => {
    const revision = 'main';
    await expect(getRepoAtRevision({ ...alice(), type: 'model', repo: 'alice/none', revision })).rejects.toMatchObject(
      NO_REPO,
    );
  });
});

describe('the date of the last change', () => {
  const modified = async (home: Awaited<ReturnType<typeof alicesHub>>) =>
    (await getRepo({ ...home.alice, ...LETTERS })).lastModified;

  test.each([
    ['a branch', { branch: 'tried' }],
    ['main overwritten', { branch: 'main', emptyBranch: true, overwrite: true }],
  ])('moves with %s', async (_what, branch) => {
    await using home = await alicesHub();
    home.hub.clock.advance(MINUTE);
    await createBranch({ ...home.alice, ...LETTERS, ...branch });
    expect(await modified(home)).toBe(A_MINUTE_LATER);
  });

  test('changes when a branch is deleted', async () => {
    await using home = await alicesHub();
    await createBranch({ ...home.alice, ...LETTERS, branch: 'tried' });
    home.hub.clock.advance(MINUTE);
    await deleteBranch({ ...home.alice, ...LETTERS, branch: 'tried' });
    expect(await modified(home)).toBe(A_MINUTE_LATER);
  });

  test('does not change with settings, discussions and pull requests', async () => {
    await using home = await alicesHub();
    home.hub.clock.advance(MINUTE);
    await updateRepoSettings({ ...home.alice, ...LETTERS, settings: { gated: 'auto' } });
    await createDiscussion({ ...home.bob, ...LETTERS, title: 'A change', description: '', pullRequest: true });
    expect(await modified(home)).toBe(AT_NOON);
  });
});

describe('the refs of a repository', () => {
  test('are its branches and tags, in the order of their names', async () => {
    await using home = await alicesHub();
    for (const tag of ['v10', 'v2']) await createTag({ ...home.alice, ...LETTERS, tag, revision: 'main' });
    await createBranch({ ...home.alice, ...LETTERS, branch: 'a/b', emptyBranch: true });
    await createDiscussion({ ...home.bob, ...LETTERS, title: 'A change', description: '', pullRequest: true });
    const refs = await listRefs({ ...home.alice, ...LETTERS });
    const { sha: targetCommit } = await getRepo({ ...home.alice, ...LETTERS });
    expect(refs).toEqual({
      branches: [
        { name: 'a/b', ref: 'refs/heads/a/b', targetCommit: SHA },
        { name: 'main', ref: 'refs/heads/main', targetCommit },
      ],
      tags: [
        { name: 'v2', ref: 'refs/tags/v2', targetCommit },
        { name: 'v10', ref: 'refs/tags/v10', targetCommit },
      ],
      converts: [],
    });
    expect(refs.branches[0]?.targetCommit).not.toBe(targetCommit);
  });

  test.each([
    ['?include_prs=1', true],
    ['?include_prs=true', true],
    ['?include_prs=', true],
    ['?include_prs=0', false],
    ['?include_prs=false', false],
    ['', false],
  ])('include those of pull requests on request: %j', async (query, shown) => {
    await using home = await alicesHub();
    for (const pullRequest of [true, false, true])
      await createDiscussion({ ...home.bob, ...LETTERS, title: 'A change', description: '', pullRequest });
    const answer = await ask(home.alice, `GET /api/models/alice/letters/refs${query}`);
    const { pullRequests } = (await answer.json()) as Awaited<ReturnType<typeof listRefs>>;
    const refs = pullRequests?.map(({ name, ref }) => `${name} ${ref}`);
    expect(refs).toEqual(shown ? ['1 refs/pr/1', '3 refs/pr/3'] : undefined);
  });

  test('are requested with a flag or without one, nothing else', async () => {
    expect(await statusOf('GET /api/models/alice/things/refs?include_prs=maybe')).toBe(400);
  });
});
