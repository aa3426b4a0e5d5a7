import {
  changeDiscussionStatus,
  commentDiscussion,
  createDiscussion,
  deletePullRequestRef,
  editComment,
  getDiscussion,
  getPullRequestStorage,
  hideComment,
  listDiscussions,
  mergePullRequest,
  pinDiscussion,
  renameDiscussion,
} from '@moonbase/client/discussions';
import { createRepo, getRepoAtRevision, listRefs, updateRepoSettings } from '@moonbase/client/repositories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { MINUTE } from './clock.ts';
import { eavesdrop } from './eavesdrop.ts';
import { type Connection, startHub, type TestHub } from './harness.ts';

const LETTERS = { type: 'model', repo: 'alice/letters' } as const;
const AT = '/api/models/alice/letters/discussions';
const SHA = expect.stringMatching(/^[0-9a-f]{40}$/);
const ID = expect.stringMatching(/^[0-9a-f]{24}$/);

/** Starts a hub with the public model `alice/letters`, and bob, who may only read and discuss it. */
async function alicesHub() {
  const hub = await startHub();
  await hub.people('alice', 'bob');
  const alice = hub.as('alice');
  await createRepo({ ...alice, repo: LETTERS.repo });
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

const open = (caller: Connection, title = 'A question', pullRequest = false) =>
  createDiscussion({ ...caller, ...LETTERS, title, description: 'Why?', pullRequest });
const comment = async (caller: Connection, num: number, text = 'Hello') =>
  (await commentDiscussion({ ...caller, ...LETTERS, num, comment: text })).newMessage.id;
const setStatus = (caller: Connection, num: number, status: 'open' | 'closed') =>
  changeDiscussionStatus({ ...caller, ...LETTERS, num, status });
const details = (caller: Connection, num = 1) => getDiscussion({ ...caller, ...LETTERS, num });
const pin = (caller: Connection, num: number, pinned = true) => pinDiscussion({ ...caller, ...LETTERS, num, pinned });
const deleteRef = (caller: Connection, num = 1) => deletePullRequestRef({ ...caller, ...LETTERS, num });
type Filter = Partial<Parameters<typeof listDiscussions>[0]>;
const page = (caller: Connection, filter: Filter = {}) => listDiscussions({ ...caller, ...LETTERS, ...filter });
const numbers = async (caller: Connection, filter: Filter = {}) =>
  (await page(caller, filter)).discussions.map(({ num }) => num);

describe('the list', () => {
  /** The tests that change nothing share this hub with discussions 1 to 6, of which alice wrote the even ones. */
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startHub();
    await hub.people('alice', 'bob');
    const [alice, bob] = [hub.as('alice'), hub.as('bob')];
    await createRepo({ ...alice, repo: LETTERS.repo });
    await open(bob, 'A typo');
    await open(alice, 'ÉTÉ à 100%');
    await open(bob, 'A draft', true);
    await open(alice, 'A merged change', true);
    await open(bob, 'A closed change', true);
    await open(alice, 'Another TYPO');
    await setStatus(alice, 4, 'open');
    await mergePullRequest({ ...alice, ...LETTERS, num: 4 });
    await setStatus(bob, 5, 'closed');
    await setStatus(bob, 1, 'closed');
    hub.clock.advance(MINUTE);
    await comment(bob, 2);
    await createRepo({ ...alice, repo: 'alice/other' });
    await createDiscussion({ ...alice, type: 'model', repo: 'alice/other', title: 'Elsewhere', description: '' });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  test.each([
    [{}, [6, 5, 4, 3, 2, 1]],
    [{ kind: 'all', status: 'all' }, [6, 5, 4, 3, 2, 1]],
    [{ kind: 'discussion' }, [6, 2, 1]],
    [{ kind: 'pull_request' }, [5, 4, 3]],
    [{ status: 'open' }, [6, 3, 2]],
    [{ status: 'closed' }, [5, 4, 1]],
    [{ kind: 'pull_request', status: 'open' }, [3]],
    [{ kind: 'pull_request', status: 'closed' }, [5, 4]],
    [{ author: 'bob' }, [5, 3, 1]],
    [{ author: 'BOB', status: 'closed' }, [5, 1]],
    [{ author: 'nobody' }, []],
    [{ search: 'typo' }, [6, 1]],
    [{ search: 'été À' }, [2]],
    [{ search: '%' }, [2]],
    [{ search: '_' }, []],
    [{ search: '' }, [6, 5, 4, 3, 2, 1]],
    [{ search: 'elsewhere' }, []],
    [{ search: 'change', author: 'alice', kind: 'pull_request', status: 'closed' }, [4]],
    [{ sort: 'recently-created' }, [6, 5, 4, 3, 2, 1]],
    [{ sort: 'reactions' }, [6, 5, 4, 3, 2, 1]],
    [{ sort: 'trending' }, [2, 6, 5, 4, 3, 1]],
  ] as const)('of %j has %j', async (filter, expected) => {
    const { discussions, count, start } = await page(hub.as('bob'), filter);
    expect(discussions.map(({ num }) => num)).toEqual(expected);
    expect([count, start]).toEqual([expected.length, 0]);
  });

  test('shows for each its author, status and number of comments', async () => {
    const { discussions } = await page(hub.as('bob'), { search: 'été' });
    expect(discussions).toEqual([
      {
        num: 2,
        author: expect.objectContaining({ name: 'alice', type: 'user' }),
        repo: { name: 'alice/letters', type: 'model' },
        title: 'ÉTÉ à 100%',
        createdAt: '2026-01-05T12:00:00.000Z',
        status: 'open',
        isPullRequest: false,
        pinned: false,
        numComments: 2,
        numReactionUsers: 0,
        topReactions: [],
      },
    ]);
  });

  test.each([
    'p=-1',
    'p=x',
    'p=1.5',
    'type=pr',
    'status=merged',
    'status=draft',
    'sort=newest',
    'author=a',
    'author=123',
    'author=a--b',
    `author=${'a'.repeat(43)}`,
    'author=65a0c0ffee00000000000001',
  ])('refuses the query %s', async (query) => {
    expect((await ask(hub.as('bob'), `GET ${AT}?${query}`)).status).toBe(400);
  });

  test('comes in pages, until `start` and what was on the page reach `count`', async () => {
    await using home = await alicesHub();
    for (let made = 0; made < 51; made++) await open(home.bob);
    const first = await page(home.bob);
    expect([first.count, first.start, first.discussions.length]).toEqual([51, 0, 50]);
    const second = await page(home.bob, { page: 1 });
    expect([second.count, second.start, second.discussions.map(({ num }) => num)]).toEqual([51, 50, [1]]);
    for (const far of [2, Number.MAX_SAFE_INTEGER])
      expect(await page(home.bob, { page: far })).toEqual({ discussions: [], count: 51, start: far * 50 });
  });

  test('omits the author if the account was deleted', async () => {
    await using home = await alicesHub();
    await open(home.bob);
    await home.hub.apply({ users: [{ name: 'bob', state: 'absent' }] });
    const { discussions, count } = await page(home.alice);
    expect(count).toBe(1);
    expect(discussions[0]).not.toHaveProperty('author');
    expect(await details(home.alice)).not.toHaveProperty('author');
    expect((await details(home.alice)).events[0]).not.toHaveProperty('author');
    expect(await numbers(home.alice, { author: 'bob' })).toEqual([]);
  });

  test('finds a discussion by its new title', async () => {
    await using home = await alicesHub();
    await open(home.bob, 'A question');
    await renameDiscussion({ ...home.bob, ...LETTERS, num: 1, title: 'An ANSWER' });
    expect(await numbers(home.bob, { search: 'question' })).toEqual([]);
    expect(await numbers(home.bob, { search: 'answer' })).toEqual([1]);
  });
});

describe('a discussion', () => {
  test('shows all of its events in order', async () => {
    await using home = await alicesHub();
    await open(home.bob);
    const id = await comment(home.alice, 1, 'Because.');
    await editComment({ ...home.alice, ...LETTERS, num: 1, commentId: id, content: 'Because **so**.' });
    await renameDiscussion({ ...home.bob, ...LETTERS, num: 1, title: 'Another title' });
    await pin(home.alice, 1);
    await changeDiscussionStatus({ ...home.alice, ...LETTERS, num: 1, status: 'closed', comment: 'Done.' });
    const by = (name: string) => expect.objectContaining({ name });
    const said = (raw: string) => expect.objectContaining({ hidden: false, latest: expect.objectContaining({ raw }) });
    expect(await details(home.bob)).toEqual({
      _id: ID,
      num: 1,
      author: by('bob'),
      repo: { name: 'alice/letters', type: 'model' },
      title: 'Another title',
      createdAt: '2026-01-05T12:00:00.000Z',
      status: 'closed',
      pinned: true,
      locked: false,
      collection: 'discussions',
      isPullRequest: false,
      isReport: false,
      events: [
        ['comment', 'bob', said('Why?')],
        ['comment', 'alice', said('Because **so**.')],
        ['title-change', 'bob', { from: 'A question', to: 'Another title' }],
        ['pinning-change', 'alice', { pinned: true }],
        ['comment', 'alice', said('Done.')],
        ['status-change', 'alice', { status: 'closed' }],
      ].map(([type, name, data]) => ({
        id: ID,
        type,
        createdAt: '2026-01-05T12:00:00.000Z',
        author: by(String(name)),
        data,
      })),
    });
  });

  test('shows of a hidden comment only who hid it', async () => {
    await using home = await alicesHub();
    await open(home.alice);
    const commentId = await comment(home.bob, 1, 'a word one regrets');
    await hideComment({ ...home.alice, ...LETTERS, num: 1, commentId });
    const answer = await details(home.bob);
    expect(answer.events[1]).toMatchObject({ id: commentId, data: { hidden: true, hiddenBy: 'alice' } });
    expect(JSON.stringify(answer)).not.toContain('regrets');
  });

  test('is shown to every reader, whatever `diff` says', async () => {
    await using home = await alicesHub();
    await open(home.alice);
    for (const query of ['', '?diff=1', '?diff=yes']) {
      const answer = await ask(home.bob, `GET ${AT}/1${query}`);
      expect(await answer.json()).toEqual(await details(home.alice));
    }
  });

  test('that does not exist, or belongs to another repository, is not found', async () => {
    await using home = await alicesHub();
    await createRepo({ ...home.alice, repo: 'alice/other' });
    await createDiscussion({ ...home.alice, type: 'model', repo: 'alice/other', title: 'Other', description: '' });
    await expect(details(home.alice)).rejects.toMatchObject({ status: 404, code: undefined });
  });
});

describe('a pull request', () => {
  test('shows its branch, and its commit once it is merged', async () => {
    await using home = await alicesHub();
    await open(home.bob, 'A change', true);
    const base = 'refs/heads/main';
    expect(await details(home.bob)).toMatchObject({ isPullRequest: true, status: 'draft', changes: { base } });
    await setStatus(home.bob, 1, 'open');
    await mergePullRequest({ ...home.alice, ...LETTERS, num: 1 });
    const { sha } = (await getRepoAtRevision({ ...home.bob, ...LETTERS, revision: 'main' })) as { sha?: string };
    const merged = await details(home.bob);
    expect(merged).toMatchObject({ status: 'merged', filesWithConflicts: [] });
    expect(merged.isPullRequest && merged.changes).toEqual({ base, mergeCommitId: sha });
    expect(merged).not.toHaveProperty('isReport');
  });
});

describe('pinning', () => {
  test('puts a discussion first in every order until it is unpinned', async () => {
    await using home = await alicesHub();
    for (const title of ['First', 'Second', 'Third']) await open(home.bob, title);
    expect(await pin(home.alice, 1)).toEqual({ success: true });
    for (const sort of ['recently-created', 'trending', 'reactions'] as const)
      expect(await numbers(home.bob, { sort })).toEqual([1, 3, 2]);
    expect((await page(home.bob)).discussions.map(({ pinned }) => pinned)).toEqual([true, false, false]);
    await pin(home.alice, 1, false);
    expect(await numbers(home.bob)).toEqual([3, 2, 1]);
  });

  test('records one event', async () => {
    await using home = await alicesHub();
    await open(home.bob);
    await home.listener.payloads();
    for (const pinned of [true, true, false]) await pin(home.alice, 1, pinned);
    const told = (await home.listener.payloads()).map(({ event, discussion, comment }) => [
      event,
      discussion?.pinned,
      comment,
    ]);
    const event = { scope: 'discussion', action: 'update' };
    expect(told).toEqual([
      [event, true, undefined],
      [event, false, undefined],
    ]);
    expect((await details(home.bob)).events.map(({ type }) => type)).toEqual([
      'comment',
      'pinning-change',
      'pinning-change',
    ]);
  });

  test('is for writers, not for the author', async () => {
    await using home = await alicesHub();
    await open(home.bob);
    await expect(pin(home.bob, 1)).rejects.toMatchObject({ status: 403 });
    expect((await details(home.bob)).pinned).toBe(false);
  });

  test.each([{}, { pinned: 'yes' }, { pinned: null }])('takes true or false: not %j', async (body) => {
    await using home = await alicesHub();
    await open(home.alice);
    expect((await ask(home.alice, `POST ${AT}/1/pin`, body)).status).toBe(400);
  });
});

describe('the ref of a pull request', () => {
  test('can be deleted once it is closed, with an event, and the pull request remains readable', async () => {
    await using home = await alicesHub();
    await open(home.bob, 'A change', true);
    await setStatus(home.bob, 1, 'closed');
    const [{ targetCommit } = { targetCommit: '' }] =
      (await listRefs({ ...home.bob, ...LETTERS, includePullRequests: true })).pullRequests ?? [];
    await home.listener.payloads();

    expect(await deleteRef(home.alice)).toEqual({ success: true });
    expect(await home.listener.payloads()).toMatchObject([
      {
        event: { scope: 'repo.content', action: 'update' },
        updatedRefs: [{ ref: 'refs/pr/1', oldSha: targetCommit, newSha: null }],
      },
    ]);
    const changed = await details(home.bob);
    expect(changed).toMatchObject({ status: 'closed', changes: { headCommitId: targetCommit, refDeleted: true } });
    expect(changed.events.at(-1)).toMatchObject({ type: 'ref-deleted', author: { name: 'alice' }, data: {} });
    await expect(getRepoAtRevision({ ...home.bob, ...LETTERS, revision: 'refs/pr/1' })).rejects.toMatchObject({
      status: 404,
      code: 'RevisionNotFound',
    });
    expect(await listRefs({ ...home.bob, ...LETTERS, includePullRequests: true })).toMatchObject({ pullRequests: [] });
  });

  test('can be deleted after the merge, whose commit remains', async () => {
    await using home = await alicesHub();
    await open(home.alice, 'A change', true);
    await setStatus(home.alice, 1, 'open');
    await mergePullRequest({ ...home.alice, ...LETTERS, num: 1 });
    await deleteRef(home.alice);
    expect(await details(home.alice)).toMatchObject({
      status: 'merged',
      changes: { mergeCommitId: SHA, headCommitId: SHA, refDeleted: true },
    });
  });

  test('cannot be deleted while it is a draft or open, and a discussion has none', async () => {
    await using home = await alicesHub();
    await open(home.alice, 'A change', true);
    await expect(deleteRef(home.alice)).rejects.toMatchObject({ status: 409 });
    await setStatus(home.alice, 1, 'open');
    await expect(deleteRef(home.alice)).rejects.toMatchObject({ status: 409 });
    await open(home.alice);
    await setStatus(home.alice, 2, 'closed');
    await expect(deleteRef(home.alice, 2)).rejects.toMatchObject({ status: 409 });
  });

  test('can be deleted only once, and the pull request cannot be reopened', async () => {
    await using home = await alicesHub();
    await open(home.alice, 'A change', true);
    await setStatus(home.alice, 1, 'closed');
    const [first, second] = await Promise.allSettled([deleteRef(home.alice), deleteRef(home.alice)]);
    expect([first?.status, second?.status].sort()).toEqual(['fulfilled', 'rejected']);
    await expect(setStatus(home.alice, 1, 'open')).rejects.toMatchObject({ status: 409 });
    expect(await details(home.alice)).toMatchObject({ status: 'closed' });
  });

  test('has an estimate of the storage that its deletion would free', async () => {
    await using home = await alicesHub();
    await open(home.bob, 'A change', true);
    await setStatus(home.bob, 1, 'closed');
    const storage = () => getPullRequestStorage({ ...home.bob, ...LETTERS, num: 1 });
    expect(await storage()).toEqual({ estimatedStorage: 0, refDeleted: false });
    await deleteRef(home.alice);
    expect(await storage()).toEqual({ estimatedStorage: 0, refDeleted: true });
    await open(home.bob);
    await expect(getPullRequestStorage({ ...home.bob, ...LETTERS, num: 2 })).rejects.toMatchObject({ status: 400 });
  });
});

test('disabled discussions cannot be read', async () => {
  await using home = await alicesHub();
  await open(home.alice);
  await updateRepoSettings({ ...home.alice, ...LETTERS, settings: { discussionsDisabled: true } });
  for (const path of ['', '/1', '/1/storage']) expect((await ask(home.alice, `GET ${AT}${path}`)).status).toBe(403);
});

test('a bucket has no discussions to list', async () => {
  await using home = await alicesHub();
  await createRepo({ ...home.alice, type: 'bucket', repo: 'alice/box' });
  for (const path of ['', '/1', '/1/storage'])
    expect((await ask(home.alice, `GET /api/buckets/alice/box/discussions${path}`)).status).toBe(400);
});
