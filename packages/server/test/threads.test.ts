import type { HubDocument } from '@moonbase/client/admin';
import {
  commentPaper,
  getPaper,
  hidePaperComment,
  listDailyPapers,
  replyToPaperComment,
  searchPapers,
} from '@moonbase/client/papers';
import {
  commentArticle,
  commentCanonicalArticle,
  commentPost,
  deletePost,
  getArticle,
  getCanonicalArticle,
  getPost,
  hideArticleComment,
  hideCanonicalArticleComment,
  hidePostComment,
  replyToArticleComment,
  replyToCanonicalArticleComment,
  replyToPostComment,
} from '@moonbase/client/posts';
import { whoAmI } from '@moonbase/client/profiles';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filterOf } from '../src/notifications/inbox/filter.ts';
import type { Executor } from '../src/platform/database/transaction.ts';
import { findCanonical, insertPost } from '../src/posts/store.ts';
import { ask } from './ask.ts';
import { DAY, MINUTE } from './clock.ts';
import { type Connection, person, startHub, type TestHub } from './harness.ts';
import { engine } from './test-database.ts';

const PAPER = '2401.01234';
const POST = { username: 'alice', postSlug: 'hello' };
const ARTICLE = { namespace: 'alice', slug: 'long-read' };
const ALL = { readStatus: 'all', mention: 'all' } as const;
const NOBODYS = '65a0c0ffee00000000000001';

const DOCUMENT = {
  users: [
    {
      ...person('alice'),
      fullname: 'Alice Liddell',
      tokens: [
        ...person('alice').tokens,
        { name: 'reader', role: 'read', token: 'hf_readerOfAlice00' },
        { name: 'none', role: 'fineGrained', token: 'hf_scopelessOfAlice', scopes: { scoped: [], global: [] } },
        {
          name: 'talker',
          role: 'fineGrained',
          token: 'hf_talkerOfAlice00',
          scopes: { scoped: [], global: ['discussion.write'] },
        },
      ],
    },
    person('bob'),
    person('carol'),
  ],
  papers: [
    {
      id: PAPER,
      title: 'On moons',
      summary: 'They are round.',
      authors: [{ name: 'Alice L.', user: 'alice' }, { name: 'Somebody Else' }],
    },
  ],
  posts: [{ slug: 'hello', author: 'alice', title: 'Hello' }],
  articles: [
    { slug: 'long-read', author: 'alice', title: 'A long read', canonical: true },
    { slug: 'draft', author: 'alice' },
  ],
} satisfies HubDocument;

async function furnishedHub(): Promise<TestHub> {
  const hub = await startHub();
  await hub.apply(DOCUMENT);
  return hub;
}

/** The tests that change nothing for others share this hub. */
let shared: TestHub;
beforeAll(async () => {
  shared = await furnishedHub();
});
afterAll(() => shared[Symbol.asyncDispose]());

const statusOf = async (answer: Promise<Response>) => (await answer).status;
const idOf = async (caller: Connection) => (await whoAmI(caller)).id;

/** The four kinds of comment threads. */
const THREADS = [
  {
    name: 'a paper',
    at: `/api/papers/${PAPER}`,
    comment: async (caller: Connection, comment: string) =>
      (await commentPaper({ ...caller, paperId: PAPER, comment })).newMessage,
    reply: async (caller: Connection, commentId: string, comment: string) =>
      (await replyToPaperComment({ ...caller, paperId: PAPER, commentId, comment })).newMessage,
    hide: async (caller: Connection, commentId: string) =>
      (await hidePaperComment({ ...caller, paperId: PAPER, commentId })).updatedComment,
    read: async (caller: Connection) => (await getPaper({ ...caller, paperId: PAPER, field: 'comments' })).comments,
  },
  {
    name: 'a post',
    at: '/api/posts/alice/hello',
    comment: async (caller: Connection, comment: string) =>
      (await commentPost({ ...caller, ...POST, comment })).newMessage,
    reply: async (caller: Connection, commentId: string, comment: string) =>
      (await replyToPostComment({ ...caller, ...POST, commentId, comment })).newMessage,
    hide: async (caller: Connection, commentId: string) =>
      (await hidePostComment({ ...caller, ...POST, commentId })).updatedComment,
    read: async (caller: Connection) => (await getPost({ ...caller, ...POST })).comments,
  },
  {
    name: 'an article',
    at: '/api/blog/alice/long-read',
    comment: async (caller: Connection, comment: string) =>
      (await commentArticle({ ...caller, ...ARTICLE, comment })).newMessage,
    reply: async (caller: Connection, commentId: string, comment: string) =>
      (await replyToArticleComment({ ...caller, ...ARTICLE, commentId, comment })).newMessage,
    hide: async (caller: Connection, commentId: string) =>
      (await hideArticleComment({ ...caller, ...ARTICLE, commentId })).updatedComment,
    read: async (caller: Connection) => (await getArticle({ ...caller, ...ARTICLE })).comments,
  },
  {
    name: 'a canonical article',
    at: '/api/blog/long-read',
    comment: async (caller: Connection, comment: string) =>
      (await commentCanonicalArticle({ ...caller, slug: 'long-read', comment })).newMessage,
    reply: async (caller: Connection, commentId: string, comment: string) =>
      (await replyToCanonicalArticleComment({ ...caller, slug: 'long-read', commentId, comment })).newMessage,
    hide: async (caller: Connection, commentId: string) =>
      (await hideCanonicalArticleComment({ ...caller, slug: 'long-read', commentId })).updatedComment,
    read: async (caller: Connection) => (await getCanonicalArticle({ ...caller, slug: 'long-read' })).comments,
  },
];

describe.each(THREADS)('comments on $name', ({ at, comment, reply, hide, read }) => {
  test('are returned in the form of discussions, replies with the id of their parent', async () => {
    await using hub = await furnishedHub();
    const [alice, bob] = [hub.as('alice'), hub.as('bob')];
    const author = {
      _id: await idOf(bob),
      name: 'bob',
      fullname: 'bob',
      avatarUrl: `${hub.url}/avatars/${await idOf(bob)}.svg`,
      type: 'user',
      isPro: false,
      isHf: false,
      isHfAdmin: false,
      isMod: false,
    };
    const first = await comment(bob, 'Because *so*.');
    expect(first).toEqual({
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
    hub.clock.advance(MINUTE);
    const second = await reply(alice, first.id.toUpperCase(), 'Why?');
    expect(second.data.parentCommentId).toBe(first.id);
    const third = await reply(bob, second.id, 'That is why.');
    expect(third.data.parentCommentId).toBe(second.id);
    expect(await read(hub.as('carol'))).toEqual([first, second, third]);
  });

  test.each([
    [{ comment: '' }, 400],
    [{ comment: 'x' }, 201],
    [{ comment: 'x'.repeat(65536) }, 201],
    [{ comment: 'x'.repeat(65537) }, 400],
    [{ comment: ' ' }, 201],
    [{ comment: 7 }, 400],
    [{ comment: null }, 400],
    [{ comment: ['x'] }, 400],
    [{ text: 'x' }, 400],
    [{ comment: 'x', and: 'more' }, 201],
    [undefined, 400],
  ])('accept a text of 1 to 65536 characters %#', async (body, status) => {
    const said = await comment(shared.as('bob'), 'First');
    expect(await statusOf(ask(shared.as('bob'), `POST ${at}/comment`, body))).toBe(status);
    expect(await statusOf(ask(shared.as('bob'), `POST ${at}/comment/${said.id}/reply`, body))).toBe(status);
  });

  test.each(['', '/comment/{said}/reply'])('are for tokens that cover it: %s', async (path) => {
    const said = await comment(shared.as('bob'), 'First');
    const request = `POST ${at}${path.replace('{said}', said.id) || '/comment'}` as const;
    const answered = (caller: { hubUrl: string; accessToken?: string }) =>
      statusOf(ask(caller, request, { comment: 'Hello' }));
    expect(await answered({ hubUrl: shared.url })).toBe(401);
    expect(await answered(shared.with('hf_readerOfAlice00'))).toBe(403);
    expect(await answered(shared.with('hf_scopelessOfAlice'))).toBe(403);
    expect(await answered(shared.with('hf_talkerOfAlice00'))).toBe(201);
    expect(await answered(shared.as('carol'))).toBe(201);
  });

  test.each([
    ['who wrote it', 'bob'],
    ['whose it is on', 'alice'],
    ['a site administrator', 'admin'],
  ])('are hidden by %s, permanently', async (_, name) => {
    await using hub = await furnishedHub();
    const by = name === 'admin' ? hub.admin : hub.as(name);
    const said = await comment(hub.as('bob'), 'Buy this');
    const answer = await reply(hub.as('carol'), said.id, 'No');
    const shown = await hide(by, said.id.toUpperCase());
    expect(shown.data).toMatchObject({ hidden: true, hiddenBy: name, latest: { raw: 'This comment has been hidden' } });
    expect(await read(hub.as('carol'))).toEqual([shown, answer]);
    await expect(hide(by, said.id)).rejects.toMatchObject({ status: 409 });
    await expect(hide(by, NOBODYS)).rejects.toMatchObject({ status: 404 });
  });

  test('cannot be hidden by other users, nor with a token that does not cover it', async () => {
    await using hub = await furnishedHub();
    const said = await comment(hub.as('bob'), 'Fine');
    for (const token of ['hf_readerOfAlice00', 'hf_scopelessOfAlice', hub.as('carol').accessToken])
      await expect(hide(hub.with(token), said.id)).rejects.toMatchObject({ status: 403 });
    await expect(hide(hub.with('hf_nobody'), said.id)).rejects.toMatchObject({ status: 401 });
    expect(await read(hub.as('carol'))).toEqual([said]);
    await hide(hub.with('hf_talkerOfAlice00'), said.id);
    expect((await read(hub.as('carol')))?.[0]?.data.hidden).toBe(true);
  });

  test('can reply only to comments of the same thread', async () => {
    const elsewhere = await commentArticle({ ...shared.as('bob'), namespace: 'alice', slug: 'draft', comment: 'Here' });
    for (const id of [elsewhere.newMessage.id, NOBODYS, 'nothing', '0'])
      expect(await statusOf(ask(shared.as('bob'), `POST ${at}/comment/${id}/reply`, { comment: 'x' }))).toBe(404);
  });

  test('of a deleted user stay, without a name', async () => {
    await using hub = await furnishedHub();
    await comment(hub.as('bob'), 'I was here');
    await hub.apply({ users: [{ name: 'bob', state: 'absent' }] });
    const [said] = (await read(hub.as('carol'))) ?? [];
    expect(said).not.toHaveProperty('author');
    expect(said?.data.latest).toMatchObject({ raw: 'I was here' });
    expect(said?.data.latest).not.toHaveProperty('author');
  });
});

test.each([
  '/api/papers/2401.99999',
  `/api/papers/${NOBODYS}`,
  '/api/papers/2401.01234v0',
  '/api/papers/%20',
  '/api/posts/alice/Hello',
  '/api/posts/alice/long-read',
  '/api/posts/bob/hello',
  '/api/posts/nobody/hello',
  '/api/blog/alice/hello',
  '/api/blog/bob/long-read',
  '/api/blog/draft',
  '/api/blog/hello',
])('there is nothing at %s', async (path) => {
  const caller = shared.as('bob');
  expect(await statusOf(ask(caller, `GET ${path}`))).toBe(404);
  expect(await statusOf(ask(caller, `POST ${path}/comment`, { comment: 'x' }))).toBe(404);
  expect(await statusOf(ask(caller, `POST ${path}/comment/${NOBODYS}/reply`, { comment: 'x' }))).toBe(404);
});

describe('a paper', () => {
  test('is shown with its authors, to anybody', async () => {
    await using hub = await furnishedHub();
    const id = await idOf(hub.as('alice'));
    const paper = await getPaper({ hubUrl: hub.url, fetch: hub.admin.fetch, paperId: PAPER });
    expect(paper).toEqual({
      id: PAPER,
      authors: [
        {
          _id: expect.any(String),
          name: 'Alice L.',
          status: 'admin_assigned',
          statusLastChangedAt: '2026-01-05T12:00:00.000Z',
          user: {
            _id: id,
            avatarUrl: `${hub.url}/avatars/${id}.svg`,
            fullname: 'Alice Liddell',
            isPro: false,
            name: 'alice',
            type: 'user',
            user: 'alice',
          },
          hidden: false,
        },
        { _id: expect.any(String), name: 'Somebody Else', hidden: false },
      ],
      publishedAt: '2026-01-05T12:00:00.000Z',
      title: 'On moons',
      summary: 'They are round.',
      upvotes: 0,
      discussionId: expect.stringMatching(/^[0-9a-f]{24}$/),
      linkedModels: [],
      numTotalModels: 0,
      linkedDatasets: [],
      numTotalDatasets: 0,
      linkedSpaces: [],
      numTotalSpaces: 0,
    });
    for (const paperId of [paper.discussionId, paper.discussionId.toUpperCase()])
      expect(await getPaper({ ...hub.admin, paperId })).toEqual(paper);
    await commentPaper({ ...hub.as('bob'), paperId: paper.discussionId, comment: 'By its object id' });
    expect((await getPaper({ ...hub.admin, paperId: PAPER, field: 'comments' })).comments).toHaveLength(1);
  });

  test.each([
    ['', 200, false],
    ['?field=comments', 200, true],
    ['?field=submissionDeadline', 200, false],
    ['?field=submissionDeadline&field=comments', 200, true],
    ['?field=comments&field=comments', 200, true],
    ['?field=', 400, false],
    ['?field=Comments', 400, false],
    ['?field=comments,submissionDeadline', 400, false],
    ['?field=comments&field=other', 400, false],
    ['?other=comments', 200, false],
  ])('with %j answers %i', async (query, status, commented) => {
    const answer = await ask({ hubUrl: shared.url }, `GET /api/papers/${PAPER}${query}`);
    expect(answer.status).toBe(status);
    expect('comments' in ((await answer.json()) as object)).toBe(commented);
  });

  test('is found by words of its title and by its identifier, newest first', async () => {
    await using hub = await furnishedHub();
    hub.clock.advance(MINUTE);
    await hub.apply({ papers: [{ id: '2402.05678', title: 'ON ÉTOILES and moons 100%' }] });
    await commentPaper({ ...hub.as('bob'), paperId: PAPER, comment: 'One' });
    const found = async (q?: string, limit?: number) =>
      (await searchPapers({ ...hub.as('bob'), q, limit })).map(({ paper }) => paper.id);
    expect(await found()).toEqual(['2402.05678', PAPER]);
    expect(await found('moons', 1)).toEqual(['2402.05678']);
    expect(await found('Moons  étoiles')).toEqual(['2402.05678']);
    expect(await found('2401.')).toEqual([PAPER]);
    expect(await found('%')).toEqual(['2402.05678']);
    for (const none of ['moons suns', '_oons', '100%%']) expect(await found(none)).toEqual([]);
    const [, first] = await searchPapers(hub.as('bob'));
    const { id, authors, publishedAt, title, summary, upvotes, discussionId } = await getPaper({
      ...hub.as('bob'),
      paperId: PAPER,
    });
    expect(first).toEqual({
      paper: { id, authors, publishedAt, title, summary, upvotes, discussionId },
      publishedAt,
      title,
      summary,
      numComments: 1,
    });
    for (const query of ['?limit=0', '?limit=121', `?q=${'x'.repeat(251)}`])
      expect(await statusOf(ask(hub.as('bob'), `GET /api/papers/search${query}`))).toBe(400);
    expect(await statusOf(ask({ hubUrl: hub.url }, 'GET /api/papers/search'))).toBe(200);
  });

  test('is listed by the time it was added', async () => {
    await using hub = await furnishedHub();
    const day = new Date(hub.clock.now()).toISOString().slice(0, 10);
    hub.clock.advance(DAY);
    await hub.apply({ papers: [{ id: '2402.05678', title: 'On suns' }] });
    const listed = async (query: Omit<Parameters<typeof listDailyPapers>[0], keyof Connection>) =>
      (await listDailyPapers({ ...hub.as('bob'), ...query })).map(({ paper }) => paper.id);
    expect(await listed({})).toEqual(['2402.05678', PAPER]);
    expect(await listed({ sort: 'trending', limit: 1 })).toEqual(['2402.05678']);
    expect(await listed({ limit: 1, page: 1 })).toEqual([PAPER]);
    expect(await listed({ page: Number.MAX_SAFE_INTEGER })).toEqual([]);
    expect(await listed({ date: day })).toEqual([PAPER]);
    expect(await listed({ month: day.slice(0, 7), date: '2020-01-01' })).toEqual([]);
    expect(await listed({ submitter: 'alice' })).toEqual([]);
    for (const query of ['date=2025-02-30', 'week=2025-W54', 'month=2025-13', 'sort=votes', 'limit=101', 'p=-1'])
      expect(await statusOf(ask(hub.as('bob'), `GET /api/daily_papers?${query}`))).toBe(400);
  });

  test('keeps the user of an author entry as long as the name is listed, at any position', async () => {
    await using hub = await furnishedHub();
    const authors = async () => (await getPaper({ ...hub.admin, paperId: PAPER })).authors;
    const name = (...named: { name: string; user?: string }[]) =>
      hub.apply({ papers: [{ id: PAPER, authors: named }] });
    const [alice, somebody] = await authors();
    hub.clock.advance(MINUTE);
    await name({ name: 'New' }, { name: 'Somebody Else' }, { name: 'Alice L.' });
    const [fresh, ...kept] = await authors();
    expect(kept).toEqual([somebody, alice]);
    await name({ name: 'Alice L.', user: 'bob' }, { name: 'New' });
    expect(await authors()).toMatchObject([
      {
        _id: alice?._id,
        status: 'admin_assigned',
        statusLastChangedAt: '2026-01-05T12:01:00.000Z',
        user: { name: 'bob' },
      },
      { _id: fresh?._id },
    ]);
    await name({ name: 'Same', user: 'alice' }, { name: 'Same', user: 'bob' });
    const twins = await authors();
    expect(twins.map(({ user }) => user?.name)).toEqual(['alice', 'bob']);
    await name({ name: 'Same' }, { name: 'Same' });
    expect(await authors()).toEqual(twins);
  });

  test('no longer links an author whose account was deleted', async () => {
    await using hub = await furnishedHub();
    await hub.apply({ users: [{ name: 'alice', state: 'absent' }] });
    const [author] = (await getPaper({ ...hub.admin, paperId: PAPER })).authors;
    expect(author).toEqual({ _id: expect.any(String), name: 'Alice L.', hidden: false });
  });

  test('loses its comments when deleted, and starts without any when added again', async () => {
    await using hub = await furnishedHub();
    await commentPaper({ ...hub.as('bob'), paperId: PAPER, comment: 'First' });
    await hub.apply({ papers: [{ id: PAPER, state: 'absent' }] });
    await expect(getPaper({ ...hub.admin, paperId: PAPER })).rejects.toMatchObject({ status: 404 });
    await hub.apply({ papers: [{ id: PAPER }] });
    expect((await getPaper({ ...hub.admin, paperId: PAPER, field: 'comments' })).comments).toEqual([]);
  });
});

describe('posts and articles', () => {
  test('are found by the author’s name in any case', async () => {
    const author = { name: 'alice', fullname: 'Alice Liddell' };
    expect(await getPost({ ...shared.as('bob'), username: 'Alice', postSlug: 'hello' })).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      slug: 'hello',
      title: 'Hello',
      author,
      publishedAt: '2026-01-05T12:00:00.000Z',
    });
    const article = await getArticle({ ...shared.as('bob'), namespace: 'ALICE', slug: 'long-read' });
    expect(article).toMatchObject({ slug: 'long-read', title: 'A long read', canonical: true, author });
    expect(await getCanonicalArticle({ ...shared.as('bob'), slug: 'long-read' })).toEqual(article);
    expect(await getArticle({ ...shared.as('bob'), namespace: 'alice', slug: 'draft' })).toMatchObject({
      title: 'draft',
      canonical: false,
    });
  });

  test('of a user may have the names of routes', async () => {
    await using hub = await furnishedHub();
    await hub.apply({ articles: [{ slug: 'comment', author: 'alice', canonical: true }] });
    const said = await commentArticle({ ...hub.as('bob'), namespace: 'alice', slug: 'comment', comment: 'One' });
    const commentId = said.newMessage.id;
    await replyToArticleComment({ ...hub.as('bob'), namespace: 'alice', slug: 'comment', commentId, comment: 'Two' });
    await commentCanonicalArticle({ ...hub.as('bob'), slug: 'comment', comment: 'Three' });
    const { comments } = await getCanonicalArticle({ ...hub.as('bob'), slug: 'comment' });
    expect(comments.map(({ data }) => data.latest.raw)).toEqual(['One', 'Two', 'Three']);
  });

  test('a slug has one canonical article: another one is refused while it exists', async () => {
    await using hub = await furnishedHub();
    const another = { slug: 'long-read', author: 'bob', title: 'Another', canonical: true };
    await expect(hub.apply({ articles: [another] })).rejects.toMatchObject({
      status: 400,
      message: 'body.articles.0.canonical: another canonical article has this slug',
    });
    await expect(getArticle({ ...hub.admin, namespace: 'bob', slug: 'long-read' })).rejects.toMatchObject({
      status: 404,
    });
    await hub.apply({ articles: [{ slug: 'long-read', author: 'alice', canonical: false }, another] });
    expect(await getCanonicalArticle({ ...hub.admin, slug: 'long-read' })).toMatchObject({ title: 'Another' });
    await hub.apply({ articles: [another, { slug: 'long-read', author: 'alice', title: 'Still there' }] });
  });

  test.each([
    ['a canonical article', findCanonical, 'posts_slug'],
    ['the articles of a slug', (tx: Executor, slug: string) => filterOf(tx, { ...ALL, articleId: slug }), 'posts_slug'],
  ] as const)('%s is looked up, however many there are', async (_, find, index) => {
    await using hub = await furnishedHub();
    const explain = engine === 'postgres' ? 'explain' : 'explain query plan';
    const plans = await hub.database.transaction(async (tx) => {
      const { id: _id, slug: _slug, ...article } = await tx.selectFrom('posts').selectAll().executeTakeFirstOrThrow();
      for (let number = 1; number <= 1000; number += 1)
        await insertPost(tx, { ...article, id: `another-${number}`, slug: `another-${number}` });
      // PostgreSQL gets the statistics that autovacuum would collect; SQLite has none.
      if (engine === 'postgres') await sql`analyze posts`.execute(tx);
      const told: string[] = [];
      const executor = tx.getExecutor();
      const execute = executor.executeQuery.bind(executor);
      executor.executeQuery = async (query) => {
        const { rows } = await execute(CompiledQuery.raw(`${explain} ${query.sql}`, [...query.parameters]));
        told.push(JSON.stringify(rows));
        return execute(query);
      };
      await find(tx, 'long-read');
      executor.executeQuery = execute;
      return told;
    });
    expect(plans).toEqual([expect.stringContaining(index)]);
  });

  test('a post is deleted by its author and by site administrators, with its comments', async () => {
    await using hub = await furnishedHub();
    await commentPost({ ...hub.as('bob'), ...POST, comment: 'First' });
    for (const caller of [hub.as('bob'), hub.with('hf_readerOfAlice00'), hub.with('hf_scopelessOfAlice')])
      await expect(deletePost({ ...caller, ...POST })).rejects.toMatchObject({ status: 403 });
    expect((await getPost({ ...hub.as('bob'), ...POST })).comments).toHaveLength(1);
    expect(await deletePost({ ...hub.as('alice'), ...POST })).toEqual({ success: true });
    await expect(deletePost({ ...hub.as('alice'), ...POST })).rejects.toMatchObject({ status: 404 });
    await hub.apply({ posts: [{ slug: 'hello', author: 'alice' }] });
    expect((await getPost({ ...hub.as('bob'), ...POST })).comments).toEqual([]);
    expect(await deletePost({ ...hub.admin, ...POST })).toEqual({ success: true });
    await expect(getPost({ ...hub.as('bob'), ...POST })).rejects.toMatchObject({ status: 404 });
  });

  test.each(['/api/posts/alice/hello', '/api/blog/alice/long-read', '/api/blog/long-read'])(
    'anybody can read %s: without a token, and with any',
    async (path) => {
      expect(await statusOf(ask({ hubUrl: shared.url }, `GET ${path}`))).toBe(200);
      expect(await statusOf(ask(shared.with('hf_scopelessOfAlice'), `GET ${path}`))).toBe(200);
      expect(await statusOf(ask(shared.with('hf_readerOfAlice00'), `GET ${path}`))).toBe(200);
    },
  );
});
