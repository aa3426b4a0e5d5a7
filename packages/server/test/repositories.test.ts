import {
  createBranch,
  createBucket,
  createRepo,
  createTag,
  deleteBranch,
  deleteBucket,
  deleteRepo,
  deleteTag,
  getRepoSettings,
  moveRepo,
  updateRepoSettings,
} from '@moonbase/client/repositories';
import { REPO_TYPES } from '@moonbase/contract/primitives';
import type { Method } from '@moonbase/contract/route';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { eavesdrop, type Listener } from './eavesdrop.ts';
import { type Connection, startHub } from './harness.ts';

const LETTERS = { type: 'model', repo: 'alice/letters' } as const;
const NOT_FOUND = { status: 404, code: 'RepoNotFound', message: 'Repository not found' };
const NO_REVISION = { status: 404, code: 'RevisionNotFound' };
/** Clients look for parts of some error messages. */
const sentence = (pattern: RegExp) => ({ message: expect.stringMatching(pattern) });

/** Starts a hub with alice, who owns the model `alice/letters`, and a listener on all her property. */
async function alicesHub() {
  const hub = await startHub();
  await hub.people('alice', 'bob');
  const alice = hub.as('alice');
  await createRepo({ ...alice, repo: 'alice/letters' });
  const listener = await eavesdrop(hub, alice, { type: 'user', name: 'alice' });
  await listener.payloads();
  return {
    hub,
    alice,
    bob: hub.as('bob'),
    listener,
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}

/** All refused requests share this hub, since they leave no trace. */
let untouched: Awaited<ReturnType<typeof alicesHub>>;
beforeAll(async () => {
  untouched = await alicesHub();
});
afterAll(() => untouched[Symbol.asyncDispose]());

/** Returns the changes of refs in the payloads that a webhook received. */
async function refUpdatesIn(listener: Listener) {
  return (await listener.payloads()).flatMap((payload) => payload.updatedRefs ?? []);
}

const status = async (answer: Promise<Response>) => (await answer).status;
const exists = async (caller: Connection, type: (typeof REPO_TYPES)[number], repo: string) =>
  (await status(ask(caller, `PUT /api/${type}s/${repo}/settings`, {}))) === 200;

describe('creating a repository', () => {
  test.each([
    ['model', '/alice/things'],
    ['dataset', '/datasets/alice/things'],
    ['space', '/spaces/alice/things'],
    ['bucket', '/buckets/alice/things'],
    ['kernel', '/kernels/alice/things'],
  ] as const)('of type %s answers its page, name and id', async (type, page) => {
    await using home = await alicesHub();
    const created = await createRepo({ ...home.alice, type, repo: 'alice/things' });
    expect(created).toEqual({
      url: home.hub.url + page,
      name: 'alice/things',
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
    });
    expect(await home.listener.payloads()).toMatchObject([
      { event: { scope: 'repo', action: 'create' }, repo: { type, name: 'alice/things', id: created.id } },
    ]);
  });

  test('without a type creates a model, without a namespace one of the caller', async () => {
    await using home = await alicesHub();
    expect(await createRepo({ ...home.alice, repo: 'short' })).toMatchObject({
      url: `${home.hub.url}/alice/short`,
      name: 'alice/short',
    });
  });

  test('takes the namespace from `organization`, from the name, or from both when they agree', async () => {
    await using home = await alicesHub();
    await home.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'write' }] }] });
    const create = async (body: object) => {
      const answer = await ask(home.alice, 'POST /api/repos/create', body);
      return answer.ok ? ((await answer.json()) as { name: string }).name : answer.status;
    };
    expect(await create({ name: 'one', organization: 'acme' })).toBe('acme/one');
    expect(await create({ name: 'two', organization: null })).toBe('alice/two');
    expect(await create({ name: 'acme/three' })).toBe('acme/three');
    expect(await create({ name: 'acme/four', organization: null })).toBe('acme/four');
    expect(await create({ name: 'acme/five', organization: 'acme' })).toBe('acme/five');
    expect(await create({ name: 'alice/six', organization: 'acme' })).toBe(400);
  });

  test.each([
    [{}, false],
    [{ private: false }, false],
    [{ private: null }, false],
    [{ private: true }, true],
    [{ visibility: 'public' }, false],
    [{ visibility: 'private' }, true],
    [{ private: null, visibility: 'private' }, true],
  ] as const)('with %j makes it private: %s', async (given, isPrivate) => {
    await using home = await alicesHub();
    await createRepo({ ...home.alice, repo: 'alice/new', ...given });
    expect((await home.listener.payloads()).map(({ repo }) => repo.private)).toEqual([isPrivate]);
  });

  test('takes `protected` for Spaces only, in settings too', async () => {
    await using home = await alicesHub();
    const refused = { status: 400, message: 'body.visibility: protected is for Spaces only' };
    await createRepo({ ...home.alice, repo: 'alice/demo', type: 'space', sdk: 'static', visibility: 'protected' });
    await expect(createRepo({ ...home.alice, repo: 'alice/other', visibility: 'protected' })).rejects.toMatchObject(
      refused,
    );
    await createRepo({ ...home.alice, repo: 'alice/other' });
    const settings = { visibility: 'protected' } as const;
    await expect(
      updateRepoSettings({ ...home.alice, type: 'model', repo: 'alice/other', settings }),
    ).rejects.toMatchObject(refused);
  });

  test('refuses `private` beside `visibility`, in settings too', async () => {
    await using home = await alicesHub();
    const both = { private: true, visibility: 'private' } as const;
    const refused = { status: 400, issues: [{ path: 'body.visibility' }] };
    await expect(createRepo({ ...home.alice, repo: 'alice/new', ...both })).rejects.toMatchObject(refused);
    await expect(createBucket({ ...home.alice, repo: 'alice/new', ...both })).rejects.toMatchObject(refused);
    await expect(updateRepoSettings({ ...home.alice, ...LETTERS, settings: both })).rejects.toMatchObject(refused);
    expect(await home.listener.payloads()).toEqual([]);
  });

  test('again is refused with the URL and id of the first, whatever the letter case', async () => {
    await using home = await alicesHub();
    const { url, id } = await createRepo({ ...home.alice, type: 'dataset', repo: 'alice/tables' });
    for (const repo of ['alice/tables', 'alice/TABLES', 'Alice/Tables'])
      await expect(createRepo({ ...home.alice, type: 'dataset', repo })).rejects.toMatchObject({
        status: 409,
        fields: { url, id },
      });
    expect(await home.listener.events()).toEqual(['repo/create']);
  });

  test('may use one name for each type', async () => {
    await using home = await alicesHub();
    for (const type of REPO_TYPES) await createRepo({ ...home.alice, type, repo: 'alice/same' });
    expect(await home.listener.payloads()).toHaveLength(5);
  });

  test.each(['a..b', '-a', 'a-', '.a', 'a.', 'a b', 'é', 'a%b', 'x'.repeat(97), 'alice/', '/a', 'alice/a/b'])(
    'refuses the name %j',
    async (name) => {
      const home = untouched;
      expect(await status(ask(home.alice, 'POST /api/repos/create', { name }))).toBe(400);
      expect(await home.listener.payloads()).toEqual([]);
    },
  );

  test('refuses an unknown namespace with 404, a foreign one with 403, an unknown type with 400', async () => {
    await using home = await alicesHub();
    await expect(createRepo({ ...home.alice, repo: 'nobody/new' })).rejects.toMatchObject({ status: 404 });
    await expect(createRepo({ ...home.alice, type: 'dataset', repo: 'bob/new' })).rejects.toMatchObject({
      status: 403,
      message: "You don't have the rights to create a dataset under this namespace",
    });
    expect(await status(ask(home.alice, 'POST /api/repos/create', { name: 'new', type: 'paper' }))).toBe(400);
  });

  test('by two requests at once succeeds once, and the other gets 409', async () => {
    await using home = await alicesHub();
    const create = () => status(ask(home.alice, 'POST /api/repos/create', { name: 'race' }));
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  });
});

test('a bucket has its own path for creating and deleting', async () => {
  await using home = await alicesHub();
  const { url, id } = await createBucket({ ...home.alice, repo: 'alice/box', visibility: 'private' });
  expect(url).toBe(`${home.hub.url}/buckets/alice/box`);
  await expect(createBucket({ ...home.alice, repo: 'alice/box' })).rejects.toMatchObject({
    status: 409,
    fields: { id },
  });
  await deleteBucket({ ...home.alice, repo: 'alice/box' });
  await expect(deleteBucket({ ...home.alice, repo: 'alice/box' })).rejects.toMatchObject(NOT_FOUND);
  expect(await home.listener.payloads()).toMatchObject([
    { event: { action: 'create' }, repo: { type: 'bucket', private: true } },
    { event: { action: 'delete' }, repo: { type: 'bucket', id } },
  ]);
});

describe('deleting a repository', () => {
  test('frees its name and records an event', async () => {
    await using home = await alicesHub();
    await deleteRepo({ ...home.alice, repo: 'alice/letters' });
    expect(await home.listener.events()).toEqual(['repo/delete']);
    expect(await exists(home.alice, 'model', 'alice/letters')).toBe(false);
    await createRepo({ ...home.alice, repo: 'alice/letters' });
    expect(await exists(home.alice, 'model', 'alice/letters')).toBe(true);
  });

  test('deletes only the one of the given type, by default a model', async () => {
    await using home = await alicesHub();
    await createRepo({ ...home.alice, type: 'dataset', repo: 'alice/letters' });
    await deleteRepo({ ...home.alice, repo: 'letters' });
    expect(await exists(home.alice, 'model', 'alice/letters')).toBe(false);
    expect(await exists(home.alice, 'dataset', 'alice/letters')).toBe(true);
    await expect(deleteRepo({ ...home.alice, type: 'space', repo: 'alice/letters' })).rejects.toMatchObject(NOT_FOUND);
  });

  test('deletes its refs and discussions: a new one of that name starts empty', async () => {
    await using home = await alicesHub();
    const open = () =>
      ask(home.alice, 'POST /api/models/alice/letters/discussions', { title: 'Hello', description: '' });
    await createBranch({ ...home.alice, ...LETTERS, branch: 'draft' });
    await open();
    await deleteRepo({ ...home.alice, repo: 'alice/letters' });
    await createRepo({ ...home.alice, repo: 'alice/letters' });
    await expect(deleteBranch({ ...home.alice, ...LETTERS, branch: 'draft' })).rejects.toMatchObject(NO_REVISION);
    expect(await (await open()).json()).toMatchObject({ num: 1 });
  });
});

describe('moving a repository', () => {
  const move = (caller: Connection, from: string, to: string) => moveRepo({ ...caller, from, to });

  test('renames it: the old name is gone, the new one refers to the same repository', async () => {
    await using home = await alicesHub();
    expect(await move(home.alice, 'alice/letters', 'alice/essays')).toEqual({ success: true });
    const [payload] = await home.listener.payloads();
    expect(payload).toMatchObject({
      event: { scope: 'repo', action: 'move' },
      repo: { name: 'alice/letters' },
      movedTo: { name: 'alice/essays', owner: payload?.repo.owner },
    });
    expect(await exists(home.alice, 'model', 'alice/letters')).toBe(false);
    expect(await exists(home.alice, 'model', 'alice/essays')).toBe(true);
  });

  test('may change only the letter case', async () => {
    await using home = await alicesHub();
    await move(home.alice, 'alice/letters', 'alice/Letters');
    expect(await home.listener.payloads()).toMatchObject([{ movedTo: { name: 'alice/Letters' } }]);
  });

  test('moves it to an organization where the caller may create, whose members may then change it', async () => {
    await using home = await alicesHub();
    await home.hub.apply({
      organizations: [
        {
          name: 'acme',
          members: [
            { user: 'alice', role: 'contributor' },
            { user: 'bob', role: 'write' },
          ],
        },
      ],
    });
    await move(home.alice, 'alice/letters', 'acme/letters');
    expect(await exists(home.bob, 'model', 'acme/letters')).toBe(true);
    expect(await exists(home.alice, 'model', 'alice/letters')).toBe(false);
  });

  test('is refused onto a name that is taken, in any letter case, and onto its own', async () => {
    await using home = await alicesHub();
    await createRepo({ ...home.alice, repo: 'alice/taken' });
    await home.listener.payloads();
    for (const to of ['alice/taken', 'alice/TAKEN'])
      await expect(move(home.alice, 'alice/letters', to)).rejects.toMatchObject({
        ...{ status: 409, ...sentence(new RegExp(`A model repository called ${to} already exists`)) },
      });
    await expect(move(home.alice, 'alice/letters', 'alice/letters')).rejects.toMatchObject({ status: 409 });
    expect(await home.listener.payloads()).toEqual([]);
  });

  test('may use a name that only another type has', async () => {
    await using home = await alicesHub();
    await createRepo({ ...home.alice, type: 'dataset', repo: 'alice/tables' });
    expect(await move(home.alice, 'alice/letters', 'alice/tables')).toEqual({ success: true });
  });

  test.each(['alice/a..b', 'alice/', 'essays', '/essays', 'alice/a/b', 'alice/a b', ''])(
    'is refused to the name %j',
    async (to) => {
      const home = untouched;
      await expect(move(home.alice, 'alice/letters', to)).rejects.toMatchObject({ status: 400 });
    },
  );

  test('is refused without permission to create there (403), and to an unknown namespace (404)', async () => {
    await using home = await alicesHub();
    await home.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'read' }] }] });
    await expect(move(home.alice, 'alice/letters', 'acme/letters')).rejects.toMatchObject({ status: 403 });
    await expect(move(home.alice, 'alice/letters', 'bob/letters')).rejects.toMatchObject({ status: 403 });
    await expect(move(home.alice, 'alice/letters', 'nobody/letters')).rejects.toMatchObject({ status: 404 });
  });
});

describe('the settings of a repository', () => {
  const AT_FIRST = {
    ...{ private: false, visibility: 'public', discussionsDisabled: false },
    ...{ gated: false, orgMembersGated: false, gatedNotificationsMode: 'real-time' },
  };

  test.each([
    [{ private: true }, { private: true, visibility: 'private' }, { private: true }],
    [{ visibility: 'private' }, { private: true, visibility: 'private' }, { private: true }],
    [{ discussionsDisabled: true }, { discussionsDisabled: true }, {}],
    [{ gated: 'auto' }, { gated: 'auto' }, {}],
    [{ gated: 'manual' }, { gated: 'manual' }, {}],
    [
      { private: true, gated: 'manual', discussionsDisabled: true },
      { private: true, visibility: 'private', gated: 'manual', discussionsDisabled: true },
      { private: true },
    ],
  ] as const)('accept %j, return all settings, and record one event', async (settings, changed, updatedConfig) => {
    await using home = await alicesHub();
    expect(await getRepoSettings({ ...home.alice, ...LETTERS })).toEqual(AT_FIRST);
    expect(await updateRepoSettings({ ...home.alice, ...LETTERS, settings })).toEqual({ ...AT_FIRST, ...changed });
    expect(await getRepoSettings({ ...home.alice, ...LETTERS })).toEqual({ ...AT_FIRST, ...changed });
    const [payload, ...further] = await home.listener.payloads();
    expect(payload).toMatchObject({ event: { scope: 'repo.config', action: 'update' }, repo: { name: LETTERS.repo } });
    expect(payload?.updatedConfig).toEqual(updatedConfig);
    expect(further).toEqual([]);
  });

  test('can be reverted in the same way', async () => {
    await using home = await alicesHub();
    const change = (settings: object) => updateRepoSettings({ ...home.alice, ...LETTERS, settings });
    await change({ private: true, gated: 'auto', discussionsDisabled: true });
    expect(await change({ visibility: 'public', gated: false, discussionsDisabled: false })).toEqual(AT_FIRST);
  });

  test('record no event if nothing changes', async () => {
    await using home = await alicesHub();
    const asTheyAre = { private: false, discussionsDisabled: false, gated: false } as const;
    for (const settings of [{}, { private: false }, { visibility: 'public' }, asTheyAre] as const)
      expect(await updateRepoSettings({ ...home.alice, ...LETTERS, settings })).toEqual(AT_FIRST);
    expect(await home.listener.payloads()).toEqual([]);
  });

  test('of a space may be `protected`, which reads as private', async () => {
    await using home = await alicesHub();
    await createRepo({ ...home.alice, type: 'space', repo: 'alice/demo', sdk: 'static' });
    expect(
      await updateRepoSettings({
        ...home.alice,
        type: 'space',
        repo: 'alice/demo',
        settings: { visibility: 'protected' },
      }),
    ).toMatchObject({ private: true, visibility: 'private' });
  });

  test.each([{ gated: 'sometimes' }, { gated: true }, { visibility: 'secret' }, { private: 'yes' }])(
    'refuse %j',
    async (settings) => {
      const home = untouched;
      expect(await status(ask(home.alice, 'PUT /api/models/alice/letters/settings', settings))).toBe(400);
    },
  );
});

describe('a branch', () => {
  test('begins at main by default, and can be deleted', async () => {
    await using home = await alicesHub();
    expect(await createBranch({ ...home.alice, ...LETTERS, branch: 'draft' })).toEqual({ success: true });
    expect(await deleteBranch({ ...home.alice, ...LETTERS, branch: 'draft' })).toEqual({ success: true });
    const [made, gone] = await home.listener.payloads();
    expect(made).toMatchObject({
      event: { scope: 'repo.content', action: 'update' },
      updatedRefs: [{ ref: 'refs/heads/draft', oldSha: null, newSha: made?.repo.headSha }],
    });
    expect(gone?.updatedRefs).toEqual([{ ref: 'refs/heads/draft', oldSha: made?.repo.headSha, newSha: null }]);
  });

  test.each(['feature/x', 'feature%2Fx'])('with a slash in its name may be requested as %s', async (path) => {
    await using home = await alicesHub();
    const at = `/api/models/alice/letters/branch/${path}` as const;
    expect(await status(ask(home.alice, `POST ${at}`, {}))).toBe(200);
    expect((await refUpdatesIn(home.listener)).map(({ ref }) => ref)).toEqual(['refs/heads/feature/x']);
    for (const same of ['feature/x', 'feature%2Fx'])
      expect(await status(ask(home.alice, `POST /api/models/alice/letters/branch/${same}`, {}))).toBe(409);
    expect(await status(ask(home.alice, `DELETE ${at}`))).toBe(200);
    expect(await status(ask(home.alice, `DELETE ${at}`))).toBe(404);
  });

  test('begins where a branch, a tag, a commit or a full ref is', async () => {
    await using home = await alicesHub();
    const branch = (name: string, startingPoint?: string) =>
      createBranch({ ...home.alice, ...LETTERS, branch: name, startingPoint });
    await createBranch({ ...home.alice, ...LETTERS, branch: 'fresh/start', emptyBranch: true });
    const [fresh] = await refUpdatesIn(home.listener);
    const commit = String(fresh?.newSha);
    await createTag({ ...home.alice, ...LETTERS, revision: 'fresh/start', tag: 'v1' });
    await branch('by-branch', 'fresh/start');
    await branch('by-tag', 'v1');
    await branch('by-commit', commit);
    await branch('by-ref', 'refs/heads/fresh/start');
    await branch('by-default');
    const moves = await refUpdatesIn(home.listener);
    expect(moves.map(({ ref, newSha }) => [ref, newSha === commit])).toEqual([
      ['refs/tags/v1', true],
      ['refs/heads/by-branch', true],
      ['refs/heads/by-tag', true],
      ['refs/heads/by-commit', true],
      ['refs/heads/by-ref', true],
      ['refs/heads/by-default', false],
    ]);
  });

  test.each(['nowhere', '0'.repeat(40), 'refs/heads/nowhere'])(
    'that would begin at the missing revision %s is refused',
    async (startingPoint) => {
      const home = untouched;
      await expect(createBranch({ ...home.alice, ...LETTERS, branch: 'draft', startingPoint })).rejects.toMatchObject(
        NO_REVISION,
      );
      expect(await home.listener.payloads()).toEqual([]);
    },
  );

  test('that exists is moved only when it may be overwritten', async () => {
    await using home = await alicesHub();
    const draft = { ...home.alice, ...LETTERS, branch: 'draft' };
    await createBranch(draft);
    await expect(createBranch({ ...draft, emptyBranch: true })).rejects.toMatchObject({
      ...{ status: 409, ...sentence(/Reference refs\/heads\/draft already exists/) },
    });
    await createBranch({ ...draft, emptyBranch: true, overwrite: true });
    const [made, moved, ...further] = await refUpdatesIn(home.listener);
    expect(moved).toMatchObject({ ref: 'refs/heads/draft', oldSha: made?.newSha });
    expect(moved?.newSha).not.toBe(made?.newSha);
    expect(further).toEqual([]);
  });

  test('that is overwritten with its current commit records no event', async () => {
    await using home = await alicesHub();
    await createBranch({ ...home.alice, ...LETTERS, branch: 'main', overwrite: true });
    expect(await home.listener.payloads()).toEqual([]);
  });

  test.each([
    'a..b',
    'a%20b',
    'a~1',
    'a%3Ab',
    'a%3Fb',
    'a.lock',
    '-a',
    'a%5Cb',
    '%40',
    'a%40%7B1',
    `${'x'.repeat(256)}`,
  ])('cannot be called %s', async (path) => {
    const home = untouched;
    expect(await status(ask(home.alice, `POST /api/models/alice/letters/branch/${path}`, {}))).toBe(400);
    expect(await home.listener.payloads()).toEqual([]);
  });

  test('called main cannot be deleted, and a missing one is not found', async () => {
    await using home = await alicesHub();
    const remove = (branch: string) => deleteBranch({ ...home.alice, ...LETTERS, branch });
    await expect(remove('main')).rejects.toMatchObject({ status: 400, ...sentence(/Cannot delete refs\/heads\/main/) });
    await expect(remove('nowhere')).rejects.toMatchObject(NO_REVISION);
  });
});

describe('a tag', () => {
  test('is created at a revision, once, and can be deleted', async () => {
    await using home = await alicesHub();
    const v1 = { ...home.alice, ...LETTERS, tag: 'release/v1' };
    expect(await createTag({ ...v1, revision: 'main', message: 'The first' })).toEqual({ success: true });
    await expect(createTag({ ...v1, revision: 'main' })).rejects.toMatchObject({
      ...{ status: 409, ...sentence(/Reference refs\/tags\/release\/v1 already exists/) },
    });
    expect(await deleteTag(v1)).toEqual({ success: true });
    await expect(deleteTag(v1)).rejects.toMatchObject(NO_REVISION);
    expect(await refUpdatesIn(home.listener)).toMatchObject([
      { ref: 'refs/tags/release/v1', oldSha: null },
      { ref: 'refs/tags/release/v1', newSha: null },
    ]);
  });

  test('is refused at a missing revision', async () => {
    await using home = await alicesHub();
    for (const tag of ['v1', 'not a name'])
      await expect(createTag({ ...home.alice, ...LETTERS, tag, revision: 'nowhere' })).rejects.toMatchObject(
        NO_REVISION,
      );
  });

  test('may be called main, and deleting it leaves the branch', async () => {
    await using home = await alicesHub();
    await createTag({ ...home.alice, ...LETTERS, tag: 'main', revision: 'main' });
    await deleteTag({ ...home.alice, ...LETTERS, tag: 'main' });
    await createBranch({ ...home.alice, ...LETTERS, branch: 'draft', startingPoint: 'main' });
    expect((await refUpdatesIn(home.listener)).map(({ ref }) => ref)).toEqual([
      'refs/tags/main',
      'refs/tags/main',
      'refs/heads/draft',
    ]);
  });

  test.each(['a b', '/v1', 'v1/', 'v..1', 'v1.lock', '', 'v\u0001', '@'])('cannot be called %j', async (tag) => {
    const home = untouched;
    expect(await status(ask(home.alice, 'POST /api/models/alice/letters/tag/main', { tag }))).toBe(400);
  });
});

test('a bucket has neither branches nor tags', async () => {
  await using home = await alicesHub();
  await createBucket({ ...home.alice, repo: 'alice/box' });
  const box = { ...home.alice, type: 'bucket', repo: 'alice/box' } as const;
  await home.listener.payloads();
  await expect(createBranch({ ...box, branch: 'draft' })).rejects.toMatchObject({ status: 400 });
  await expect(createBranch({ ...box, branch: 'draft', emptyBranch: true })).rejects.toMatchObject({ status: 400 });
  await expect(createTag({ ...box, tag: 'v1', revision: 'main' })).rejects.toMatchObject({ status: 400 });
  await expect(deleteBranch({ ...box, branch: 'draft' })).rejects.toMatchObject({ status: 404 });
  expect(await home.listener.payloads()).toEqual([]);
});

test.each<[string, `${Method} ${string}`, object?]>([
  ['deleting', 'DELETE /api/repos/delete', { name: 'alice/nothing' }],
  ['deleting a bucket', 'DELETE /api/buckets/alice/nothing'],
  ['moving', 'POST /api/repos/move', { fromRepo: 'alice/nothing', toRepo: 'alice/something' }],
  ['settings', 'PUT /api/models/alice/nothing/settings', { private: true }],
  ['creating a branch', 'POST /api/models/alice/nothing/branch/draft', {}],
  ['deleting a branch', 'DELETE /api/models/alice/nothing/branch/draft'],
  ['creating a tag', 'POST /api/models/alice/nothing/tag/main', { tag: 'v1' }],
  ['deleting a tag', 'DELETE /api/models/alice/nothing/tag/v1'],
  ['the same name of another type', 'PUT /api/datasets/alice/letters/settings', {}],
  ['a repository of an unknown owner', 'PUT /api/models/nobody/nothing/settings', {}],
])('a missing repository is reported with a code that clients know: %s', async (_, request, body) => {
  const home = untouched;
  const answer = await ask(home.alice, request, body);
  expect([answer.status, answer.headers.get('x-error-code'), await answer.json()]).toEqual([
    404,
    'RepoNotFound',
    { error: 'Repository not found' },
  ]);
});
