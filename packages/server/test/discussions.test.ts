import {
  changeDiscussionStatus,
  commentDiscussion,
  createDiscussion,
  deleteDiscussion,
  editComment,
  hideComment,
  mergePullRequest,
  renameDiscussion,
} from '@moonbase/client/discussions';
import { whoAmI } from '@moonbase/client/profiles';
import { createBranch, createBucket, createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import type { Method } from '@moonbase/contract/route';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { MINUTE } from './clock.ts';
import { eavesdrop } from './eavesdrop.ts';
import { type Connection, startHub } from './harness.ts';

const LETTERS = { type: 'model', repo: 'alice/letters' } as const;
const AT = '/api/models/alice/letters/discussions';

/** Starts a hub with the public model `alice/letters`, and bob, who may only read and discuss it. */
async function alicesHub() {
  const hub = await startHub();
  await hub.people('alice', 'bob', 'carol');
  const [alice, bob, carol] = [hub.as('alice'), hub.as('bob'), hub.as('carol')];
  await createRepo({ ...alice, repo: LETTERS.repo });
  const listener = await eavesdrop(hub, alice, { type: 'user', name: 'alice' });
  await listener.payloads();
  return {
    hub,
    alice,
    bob,
    carol,
    listener,
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}

/** The tests on lengths of texts share this hub with a discussion of bob that has one comment of his. */
let lengths: Awaited<ReturnType<typeof alicesHub>>;
let commentId: string;
beforeAll(async () => {
  lengths = await alicesHub();
  await open(lengths.bob);
  commentId = (await comment(lengths.bob, 'First')).id;
});
afterAll(() => lengths[Symbol.asyncDispose]());

const open = (caller: Connection, given: { title?: string; description?: string } = {}) =>
  createDiscussion({ ...caller, ...LETTERS, title: 'A question', description: 'Why?', ...given });
const openPullRequest = (caller: Connection) =>
  createDiscussion({ ...caller, ...LETTERS, title: 'A change', description: 'Better so.', pullRequest: true });
const comment = async (caller: Connection, text: string, num = 1) =>
  (await commentDiscussion({ ...caller, ...LETTERS, num, comment: text })).newMessage;
const edit = async (caller: Connection, commentId: string, content: string, num = 1) =>
  (await editComment({ ...caller, ...LETTERS, num, commentId, content })).updatedComment;
const hide = async (caller: Connection, commentId: string, num = 1) =>
  (await hideComment({ ...caller, ...LETTERS, num, commentId })).updatedComment;
const setStatus = (caller: Connection, status: 'open' | 'closed', given: { num?: number; comment?: string } = {}) =>
  changeDiscussionStatus({ ...caller, ...LETTERS, num: 1, status, ...given });
const rename = (caller: Connection, title: string) => renameDiscussion({ ...caller, ...LETTERS, num: 1, title });
const merge = (caller: Connection, text?: string) => mergePullRequest({ ...caller, ...LETTERS, num: 1, comment: text });
const erase = (caller: Connection, num = 1) => deleteDiscussion({ ...caller, ...LETTERS, num });
const statusOf = async (answer: Promise<Response>) => (await answer).status;

describe('opening', () => {
  test('a discussion returns its number and URL, and records one event with the comment', async () => {
    await using home = await alicesHub();
    expect(await open(home.bob, { description: 'Why **so**?' })).toEqual({
      url: `${home.hub.url}/alice/letters/discussions/1`,
      num: 1,
      pullRequest: false,
    });
    const { id } = await whoAmI(home.bob);
    expect(await home.listener.payloads()).toMatchObject([
      {
        event: { scope: 'discussion', action: 'create' },
        discussion: { num: 1, title: 'A question', status: 'open', isPullRequest: false, author: { id } },
        comment: { author: { id }, hidden: false, content: 'Why **so**?' },
      },
    ]);
  });

  test('a pull request creates a draft with its own ref', async () => {
    await using home = await alicesHub();
    expect(await openPullRequest(home.bob)).toEqual({
      url: `${home.hub.url}/alice/letters/discussions/1`,
      num: 1,
      pullRequest: true,
      references: { base: 'refs/heads/main' },
    });
    const [opened, content] = await home.listener.payloads();
    expect(opened?.discussion).toMatchObject({
      status: 'draft',
      isPullRequest: true,
      changes: { base: 'refs/heads/main' },
    });
    expect(content).toMatchObject({
      event: { scope: 'repo.content', action: 'update' },
      updatedRefs: [{ ref: 'refs/pr/1', oldSha: null, newSha: content?.repo.headSha }],
    });
    await createBranch({ ...home.alice, ...LETTERS, branch: 'tried', startingPoint: 'refs/pr/1' });
  });

  test('counts discussions and pull requests in one sequence, never using a number twice', async () => {
    await using home = await alicesHub();
    const numbers = [(await open(home.bob)).num, (await openPullRequest(home.bob)).num, (await open(home.alice)).num];
    await erase(home.alice, 3);
    numbers.push((await openPullRequest(home.alice)).num);
    expect(numbers).toEqual([1, 2, 3, 4]);
  });

  test('counts per repository, and without gaps when many are opened at once', async () => {
    await using home = await alicesHub();
    await createRepo({ ...home.alice, type: 'dataset', repo: 'alice/letters' });
    await open(home.alice);
    const inDataset = (given: { title: string }) =>
      createDiscussion({ ...home.bob, type: 'dataset', repo: 'alice/letters', description: '', ...given });
    const opened = await Promise.all(['one', 'two', 'three', 'four'].map((title) => inDataset({ title })));
    expect(opened.map(({ num }) => num).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  });

  test.each([
    [2, 400],
    [3, 200],
    [200, 200],
    [201, 400],
  ])('with a title of %i characters answers %i, renaming too', async (length, status) => {
    const title = 'x'.repeat(length);
    expect(await statusOf(ask(lengths.bob, `POST ${AT}`, { title, description: '' }))).toBe(status);
    expect(await statusOf(ask(lengths.bob, `POST ${AT}/1/title`, { title }))).toBe(status);
  });

  test.each([
    [0, 200],
    [65536, 200],
    [65537, 400],
  ])('with a description of %i characters answers %i', async (length, status) => {
    const body = { title: 'A question', description: 'x'.repeat(length) };
    expect(await statusOf(ask(lengths.bob, `POST ${AT}`, body))).toBe(status);
  });
});

describe('commenting', () => {
  test('returns the comment with its author, as Markdown and as HTML', async () => {
    await using home = await alicesHub();
    await open(home.alice);
    const { id } = await whoAmI(home.bob);
    const author = {
      _id: id,
      name: 'bob',
      fullname: 'bob',
      avatarUrl: `${home.hub.url}/avatars/${id}.svg`,
      type: 'user',
      isPro: false,
      isHf: false,
      isHfAdmin: false,
      isMod: false,
    };
    expect(await comment(home.bob, 'Because *so*.')).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      type: 'comment',
      createdAt: '2026-01-05T12:00:00.000Z',
      author,
      data: {
        edited: false,
        hidden: false,
        latest: {
          raw: 'Because *so*.',
          html: '<p>Because <em>so</em>.</p>\n',
          updatedAt: '2026-01-05T12:00:00.000Z',
          author,
        },
        numEdits: 0,
        editors: [],
        editorAvatarUrls: [],
        reactions: [],
        isReport: false,
      },
    });
    expect((await home.listener.payloads()).at(-1)).toMatchObject({
      event: { scope: 'discussion.comment', action: 'create' },
      comment: { content: 'Because *so*.', author: { id } },
    });
  });

  test('answers 201', async () => {
    await using home = await alicesHub();
    await open(home.alice);
    expect(await statusOf(ask(home.bob, `POST ${AT}/1/comment`, { comment: 'Yes' }))).toBe(201);
  });

  test.each([
    [0, 400],
    [1, 201],
    [65536, 201],
    [65537, 400],
  ])('with %i characters answers %i', async (length, status) => {
    expect(await statusOf(ask(lengths.bob, `POST ${AT}/1/comment`, { comment: 'x'.repeat(length) }))).toBe(status);
  });
});

describe('the HTML of a comment', () => {
  let home: Awaited<ReturnType<typeof alicesHub>>;
  beforeAll(async () => {
    home = await alicesHub();
    await open(home.alice);
  });
  afterAll(() => home[Symbol.asyncDispose]());
  const htmlOf = async (text: string) => (await comment(home.bob, text)).data.latest.html;

  const HARMLESS = /^(p|em|strong|a|img|code|pre|ul|ol|li|blockquote|h[1-6]|hr|br|s|table|thead|tbody|tr|th|td)$/;

  /** Returns the parts of this HTML that could run or load something. */
  function dangersIn(html: string): string[] {
    return [...html.matchAll(/<\/?([^\s>/]+)((?:"[^"]*"|[^>"])*)>/g)].flatMap(([tag, name = '', attributes = '']) => {
      const found = [...attributes.matchAll(/([^\s=]+)="([^"]*)"/g)];
      const bad = found.some(
        ([, key = '', value = '']) =>
          key.startsWith('on') ||
          key === 'style' ||
          (/^(href|src)$/.test(key) && !/^(https?|mailto):/.test(new URL(value, 'https://hub.test').href)),
      );
      return bad || !HARMLESS.test(name) ? [tag] : [];
    });
  }

  test('is checked by a detector that does find dangerous HTML', () => {
    expect(
      dangersIn('<p>x</p><script>1</script><a href="javascript:1">x</a><img src="https://a.b" onerror="1">'),
    ).toEqual(['<script>', '</script>', '<a href="javascript:1">', '<img src="https://a.b" onerror="1">']);
  });

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'text <b onclick="alert(1)">bold</b>',
    '<svg/onload=alert(1)>',
    '<!-- --><iframe src="https://example.com"></iframe>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java&#x0A;script:alert(1))',
    '[x](&#x6A;avascript:alert(1))',
    '[x](vbscript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4x)',
    '[x](file:///etc/passwd)',
    '![x](javascript:alert(1))',
    '![x](data:image/svg+xml;base64,PHN2Zz4=)',
    '<javascript:alert(1)>',
    '[x]: javascript:alert(1)\n\n[x]',
    '[x](https://example.com "\\" onmouseover=\\"alert(1)")',
    '[x](https://example.com/"onmouseover="alert(1))',
    '![" onerror="alert(1)](https://example.com)',
    '```"><script>alert(1)</script>\ncode\n```',
    '`<script>`',
    '> <details open ontoggle=alert(1)>',
    '| a |\n|---|\n| <script>1</script> |',
    'https://example.com/<script>',
    '[x](https://example.com)<style>*{display:none}</style>',
  ])('is safe for %j', async (text) => {
    expect(dangersIn(await htmlOf(text))).toEqual([]);
  });

  test('shows raw HTML as plain text', async () => {
    expect(await htmlOf('<b>bold</b>')).toBe('<p>&lt;b&gt;bold&lt;/b&gt;</p>\n');
  });

  test('has formatting and links, including bare URLs', async () => {
    expect(await htmlOf('**So**: [here](https://example.com/a) or https://example.com/b')).toBe(
      '<p><strong>So</strong>: <a href="https://example.com/a">here</a> or <a href="https://example.com/b">https://example.com/b</a></p>\n',
    );
  });
});

describe('editing a comment', () => {
  test('of one’s own keeps its author and date, and counts the edits', async () => {
    await using home = await alicesHub();
    await open(home.alice);
    const { id, createdAt } = await comment(home.bob, 'Becuase.');
    home.hub.clock.advance(MINUTE);
    await edit(home.bob, id, 'Becouse.');
    const edited = await edit(home.bob, id, 'Because.');
    expect(edited).toMatchObject({ id, createdAt, author: { name: 'bob' } });
    expect(edited.data).toMatchObject({
      edited: true,
      numEdits: 2,
      editors: ['bob'],
      latest: { raw: 'Because.', html: '<p>Because.</p>\n', updatedAt: '2026-01-05T12:01:00.000Z' },
    });
    expect((await home.listener.payloads()).slice(-2)).toMatchObject([
      { event: { scope: 'discussion.comment', action: 'update' }, comment: { id, content: 'Becouse.' } },
      { event: { scope: 'discussion.comment', action: 'update' }, comment: { id, content: 'Because.' } },
    ]);
  });

  test('of others requires write access, and names the editor', async () => {
    await using home = await alicesHub();
    await open(home.alice);
    const { id } = await comment(home.bob, 'Rude words.');
    await expect(edit(home.carol, id, 'Hello')).rejects.toMatchObject({ status: 403 });
    const edited = await edit(home.alice, id, 'Kind words.');
    expect(edited.author?.name).toBe('bob');
    expect(edited.data.latest.author?.name).toBe('alice');
    expect(edited.data.editors).toEqual(['alice']);
  });

  test('finds its id in any letter case, and only in its own discussion', async () => {
    await using home = await alicesHub();
    await open(home.alice);
    await open(home.alice);
    const { id } = await comment(home.bob, 'First');
    expect((await edit(home.bob, id.toUpperCase(), 'Second')).data.latest.raw).toBe('Second');
    await expect(edit(home.bob, id, 'Third', 2)).rejects.toMatchObject({ status: 404 });
    await expect(edit(home.bob, '65a0c0ffee00000000000001', 'Third')).rejects.toMatchObject({ status: 404 });
    await expect(hide(home.bob, id, 2)).rejects.toMatchObject({ status: 404 });
  });

  test.each([0, 65537])('refuses a text of %i characters', async (length) => {
    const content = 'x'.repeat(length);
    expect(await statusOf(ask(lengths.bob, `POST ${AT}/1/comment/${commentId}/edit`, { content }))).toBe(400);
  });
});

describe('hiding a comment', () => {
  test('removes its text from responses and payloads, and names who hid it', async () => {
    await using home = await alicesHub();
    await open(home.alice);
    const { id } = await comment(home.bob, 'A secret');
    const hidden = await hide(home.alice, id);
    expect(hidden.data).toMatchObject({ hidden: true, hiddenBy: 'alice', edited: false });
    const payload = (await home.listener.payloads()).at(-1);
    expect(payload).toMatchObject({
      event: { scope: 'discussion.comment', action: 'update' },
      comment: { id, hidden: true },
    });
    expect(payload?.comment).not.toHaveProperty('content');
    expect(JSON.stringify([hidden, payload])).not.toContain('A secret');
  });

  test('is for its author and for writers', async () => {
    await using home = await alicesHub();
    await open(home.alice);
    const { id } = await comment(home.bob, 'Mine');
    await expect(hide(home.carol, id)).rejects.toMatchObject({ status: 403 });
    expect((await hide(home.bob, id)).data.hiddenBy).toBe('bob');
  });

  test('is final: a hidden comment cannot be edited or hidden again, not even by the owner', async () => {
    await using home = await alicesHub();
    await open(home.alice);
    const { id } = await comment(home.bob, 'Mine');
    await hide(home.bob, id);
    await home.listener.payloads();
    for (const caller of [home.bob, home.alice]) {
      await expect(edit(caller, id, 'Again')).rejects.toMatchObject({ status: 409 });
      await expect(hide(caller, id)).rejects.toMatchObject({ status: 409 });
    }
    expect(await home.listener.payloads()).toEqual([]);
  });
});

describe('the status', () => {
  test('of a discussion changes from open to closed and back, with an event each', async () => {
    await using home = await alicesHub();
    await open(home.bob);
    await home.listener.payloads();
    expect((await setStatus(home.bob, 'closed')).newStatus).toMatchObject({
      type: 'status-change',
      author: { name: 'bob' },
      data: { status: 'closed' },
    });
    await setStatus(home.alice, 'open');
    expect(await home.listener.payloads()).toMatchObject([
      { event: { scope: 'discussion', action: 'update' }, discussion: { status: 'closed' } },
      { event: { scope: 'discussion', action: 'update' }, discussion: { status: 'open' } },
    ]);
  });

  test('cannot be set to its current value (409), nor to anything but open and closed (400)', async () => {
    await using home = await alicesHub();
    await open(home.bob);
    await expect(setStatus(home.bob, 'open')).rejects.toMatchObject({ status: 409 });
    await setStatus(home.bob, 'closed');
    await expect(setStatus(home.bob, 'closed')).rejects.toMatchObject({ status: 409 });
    for (const status of ['draft', 'merged', 'done', null])
      expect(await statusOf(ask(home.bob, `POST ${AT}/1/status`, { status }))).toBe(400);
  });

  test('of a pull request changes from draft to open, and never back', async () => {
    await using home = await alicesHub();
    await openPullRequest(home.bob);
    await setStatus(home.bob, 'open');
    await setStatus(home.bob, 'closed');
    await setStatus(home.bob, 'open');
    const statuses = (await home.listener.payloads()).flatMap(({ discussion }) => discussion?.status ?? []);
    expect(statuses).toEqual(['draft', 'open', 'closed', 'open']);
  });

  test('may be changed with a comment, whose event comes first', async () => {
    await using home = await alicesHub();
    await open(home.bob);
    await home.listener.payloads();
    await setStatus(home.bob, 'closed', { comment: 'Solved.' });
    expect(await home.listener.payloads()).toMatchObject([
      { event: { scope: 'discussion.comment', action: 'create' }, comment: { content: 'Solved.' } },
      { event: { scope: 'discussion', action: 'update' }, discussion: { status: 'closed' } },
    ]);
  });

  test('change that is refused adds no comment', async () => {
    await using home = await alicesHub();
    await open(home.bob);
    await home.listener.payloads();
    await expect(setStatus(home.bob, 'open', { comment: 'Still open' })).rejects.toMatchObject({ status: 409 });
    await expect(setStatus(home.carol, 'closed', { comment: 'Over' })).rejects.toMatchObject({ status: 403 });
    expect(await home.listener.payloads()).toEqual([]);
  });
});

describe('the title', () => {
  test('can be changed by the author and by writers, not by others', async () => {
    await using home = await alicesHub();
    await open(home.bob);
    await home.listener.payloads();
    expect((await rename(home.bob, 'A better question')).newTitle).toMatchObject({
      type: 'title-change',
      data: { from: 'A question', to: 'A better question' },
    });
    await rename(home.alice, 'The best question');
    await expect(rename(home.carol, 'My question')).rejects.toMatchObject({ status: 403 });
    expect((await home.listener.payloads()).map(({ discussion }) => discussion?.title)).toEqual([
      'A better question',
      'The best question',
    ]);
  });

  test('that does not change records no event', async () => {
    await using home = await alicesHub();
    await open(home.bob);
    await home.listener.payloads();
    await rename(home.bob, 'A question');
    expect(await home.listener.payloads()).toEqual([]);
  });
});

describe('merging', () => {
  test('puts a commit on main, records its events in order, and is final', async () => {
    await using home = await alicesHub();
    await openPullRequest(home.bob);
    await setStatus(home.bob, 'open');
    const before = (await home.listener.payloads()).at(1)?.repo.headSha;
    expect(await merge(home.alice, 'Thank you.')).toEqual({ success: true });
    const [said, content, status] = await home.listener.payloads();
    expect(said).toMatchObject({ event: { scope: 'discussion.comment' }, comment: { content: 'Thank you.' } });
    const commit = content?.updatedRefs?.[0]?.newSha;
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(content).toMatchObject({
      event: { scope: 'repo.content', action: 'update' },
      repo: { headSha: commit },
      updatedRefs: [{ ref: 'refs/heads/main', oldSha: before, newSha: commit }],
    });
    expect(status?.discussion).toMatchObject({ status: 'merged', changes: { mergeCommitId: commit } });
    await expect(merge(home.alice)).rejects.toMatchObject({ status: 409 });
    await expect(setStatus(home.alice, 'open')).rejects.toMatchObject({ status: 409 });
    await expect(setStatus(home.alice, 'closed')).rejects.toMatchObject({ status: 409 });
  });

  test('requires write access, also for the author', async () => {
    await using home = await alicesHub();
    await openPullRequest(home.bob);
    await setStatus(home.bob, 'open');
    await expect(merge(home.bob)).rejects.toMatchObject({ status: 403 });
  });

  test('is refused for a discussion, a draft and a closed pull request', async () => {
    await using home = await alicesHub();
    await open(home.bob);
    await expect(merge(home.alice)).rejects.toMatchObject({ status: 409, message: 'Only pull requests can be merged' });
    await erase(home.alice);
    await openPullRequest(home.bob);
    const mergeTwo = () => mergePullRequest({ ...home.alice, ...LETTERS, num: 2 });
    await expect(mergeTwo()).rejects.toMatchObject({ status: 409, message: expect.stringMatching(/draft/) });
    await setStatus(home.bob, 'closed', { num: 2 });
    await expect(mergeTwo()).rejects.toMatchObject({ status: 409, message: expect.stringMatching(/closed/) });
  });

  test('by two users at once succeeds once', async () => {
    await using home = await alicesHub();
    await openPullRequest(home.bob);
    await setStatus(home.bob, 'open');
    const both = await Promise.all([1, 2].map(() => statusOf(ask(home.alice, `POST ${AT}/1/merge`))));
    expect(both.toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

test('only writers can delete a discussion, with its comments', async () => {
  await using home = await alicesHub();
  await open(home.bob);
  const { id } = await comment(home.bob, 'First');
  await home.listener.payloads();
  await expect(erase(home.bob)).rejects.toMatchObject({ status: 403 });
  expect(await erase(home.alice)).toEqual({ success: true });
  expect(await home.listener.payloads()).toMatchObject([
    { event: { scope: 'discussion', action: 'delete' }, discussion: { num: 1, title: 'A question' } },
  ]);
  await expect(erase(home.alice)).rejects.toMatchObject({ status: 404 });
  await expect(edit(home.bob, id, 'Again')).rejects.toMatchObject({ status: 404 });
});

const EVERYTHING: [`${Method} ${string}`, object?][] = [
  ['POST N/comment', { comment: 'Hello' }],
  ['POST N/comment/65a0c0ffee00000000000001/edit', { content: 'Hello' }],
  ['POST N/comment/65a0c0ffee00000000000001/hide'],
  ['POST N/status', { status: 'closed' }],
  ['POST N/title', { title: 'Hello' }],
  ['POST N/pin', { pinned: true }],
  ['POST N/merge'],
  ['DELETE N/ref'],
  ['DELETE N'],
  ['GET N'],
];
const inDiscussion = (request: string, num: string | number) =>
  request.replace('N', `${AT}/${num}`) as `${Method} ${string}`;

test('disabled discussions refuse all changes until they are enabled again', async () => {
  await using home = await alicesHub();
  await open(home.alice);
  const disable = (discussionsDisabled: boolean) =>
    updateRepoSettings({ ...home.alice, ...LETTERS, settings: { discussionsDisabled } });
  await disable(true);
  await expect(open(home.alice)).rejects.toMatchObject({ status: 403 });
  for (const [request, body] of EVERYTHING)
    expect([request, await statusOf(ask(home.alice, inDiscussion(request, 1), body))]).toEqual([request, 403]);
  await disable(false);
  expect(await comment(home.bob, 'Here again')).toMatchObject({ type: 'comment' });
});

test('a bucket has no discussions', async () => {
  await using home = await alicesHub();
  await createBucket({ ...home.alice, repo: 'alice/box' });
  const at = '/api/buckets/alice/box/discussions';
  expect(await statusOf(ask(home.alice, `POST ${at}`, { title: 'Hello', description: '' }))).toBe(400);
  expect(await statusOf(ask(home.alice, `POST ${at}/1/comment`, { comment: 'Hello' }))).toBe(400);
});

test('every other type has', async () => {
  await using home = await alicesHub();
  for (const type of ['model', 'dataset', 'space', 'kernel'] as const) {
    if (type !== 'model') await createRepo({ ...home.alice, type, repo: 'alice/letters' });
    const opened = await createDiscussion({
      ...home.bob,
      type,
      repo: 'alice/letters',
      title: 'Hello',
      description: '',
    });
    expect(opened.url).toBe(`${home.hub.url}/${type === 'model' ? '' : `${type}s/`}alice/letters/discussions/1`);
  }
});

describe('the number of a discussion', () => {
  let home: Awaited<ReturnType<typeof alicesHub>>;
  beforeAll(async () => {
    home = await alicesHub();
    await open(home.alice);
  });
  afterAll(() => home[Symbol.asyncDispose]());

  test.each(EVERYTHING)('that is unknown gets 404, that is invalid gets 400: %s', async (request, body) => {
    const statuses = async (...numbers: string[]) =>
      Promise.all(numbers.map((num) => statusOf(ask(home.alice, inDiscussion(request, num), body))));
    expect(await statuses('2', '999999999')).toEqual([404, 404]);
    expect(await statuses('0', 'x', '1.5', '-1', '01', '1e3', '%201', '1000000000')).toEqual(Array(8).fill(400));
  });
});

test('comments of a deleted user remain, without a name', async () => {
  await using home = await alicesHub();
  await open(home.alice);
  const { id } = await comment(home.bob, 'I was here');
  await home.hub.apply({ users: [{ name: 'bob', state: 'absent' }] });
  const edited = await edit(home.alice, id, 'He was here');
  expect(edited).not.toHaveProperty('author');
  expect(edited.data.latest.author?.name).toBe('alice');
});
