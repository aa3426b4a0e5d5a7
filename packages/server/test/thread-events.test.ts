import { HubDocument } from '@moonbase/contract/admin/hub-document';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { createMemberships } from '../src/access/index.ts';
import { createAccounts } from '../src/accounts/index.ts';
import { createAdmin } from '../src/admin/index.ts';
import { createAuditLog } from '../src/audit-log/index.ts';
import { createComments } from '../src/comments/index.ts';
import { createErase } from '../src/members/index.ts';
import { createClaims, createPapers } from '../src/papers/index.ts';
import { createEvents } from '../src/platform/events/events.ts';
import type { Caller } from '../src/platform/http/authenticate.ts';
import { createIds } from '../src/platform/ids.ts';
import { createSignals } from '../src/platform/queue/signals.ts';
import { createSecretBox } from '../src/platform/secrets.ts';
import { createPosts } from '../src/posts/index.ts';
import { createRepositories } from '../src/repositories/index.ts';
import { createSpaces } from '../src/spaces/index.ts';
import { watchOrganization } from '../src/watching/index.ts';
import { createTestClock } from './clock.ts';
import { noContents } from './no-contents.ts';
import { openTestDatabase } from './open-test-database.ts';
import { testTexts } from './texts.ts';

const PAPER = '2401.01234';

/** Opens the services on a database of their own, with their recorded events of threads, comments and claims. */
async function services() {
  const opened = await openTestDatabase();
  const { database } = opened;
  const clock = createTestClock();
  const ids = createIds(clock);
  const events = createEvents({ clock, ids, nudge() {} });
  const audit = createAuditLog({ clock, ids });
  const accounts = createAccounts({
    database,
    clock,
    ids,
    events,
    cutOffs: { column: sql<string | null>`null`, read: () => undefined },
  });
  const repositories = createRepositories({ database, clock, ids, events, audit, contents: noContents });
  const comments = createComments({ clock, ids, events, texts: testTexts });
  const papers = createPapers({ database, clock, ids, comments });
  const posts = createPosts({ database, clock, ids, comments });
  const claims = createClaims({ database, clock, ids, events });
  const memberships = createMemberships({
    clock,
    events,
    audit,
    onAccess: (tx, { orgId, userIds }) => watchOrganization(tx, userIds, orgId, clock.now()),
  });
  const callers = createSignals();
  const erase = createErase({ repositories, posts, memberships, events, audit, callers });
  const admin = createAdmin({
    database,
    accounts,
    callers,
    memberships,
    repositories,
    spaces: createSpaces({ database, clock, ids, events, audit, secretBox: createSecretBox('the key of this test') }),
    papers,
    posts,
    audit,
    erase,
    putFiles: async () => {},
    quotas: { setStorage: async () => false },
  });
  const user = await database.transaction((tx) => accounts.create(tx, { kind: 'user', name: 'alice' }));
  const caller: Caller = {
    baseUrl: 'http://hub.test',
    hubUrl: 'http://hub.test',
    url: 'http://hub.test/',
    address: '127.0.0.1',
    userAgent: undefined,
    requestId: 'r',
    principal: { userId: user.id, userName: 'alice', siteAdmin: true, token: { id: 't', role: 'write' } },
  };
  let seen = '';
  return {
    database,
    caller,
    papers,
    posts,
    claims,
    apply: (document: z.input<typeof HubDocument>) => admin.apply(caller, HubDocument.parse(document)),
    /** Returns the events since the last call in order: `topic action`, and the rest of the data. */
    async recorded() {
      const rows = await database.read
        .selectFrom('events')
        .select(['id', 'topic', 'data'])
        .where('id', '>', seen)
        .orderBy('id')
        .execute();
      seen = rows.at(-1)?.id ?? seen;
      return rows.map(({ topic, data }) => {
        const { action, ...rest } = JSON.parse(data) as { action: string };
        return [`${topic} ${action}`, rest] as const;
      });
    },
    async commentCount() {
      return (await database.read.selectFrom('comments').select('id').execute()).length;
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const EVERYTHING = {
  papers: [{ id: PAPER, title: 'On moons', summary: 'Round.', authors: [{ name: 'alice' }] }],
  posts: [{ slug: 'hello', author: 'alice', title: 'Hello' }],
  articles: [{ slug: 'long-read', author: 'alice', title: 'A long read' }],
};
const AT = {
  post: { kind: 'post', author: 'alice', slug: 'hello' },
  article: { kind: 'article', author: 'alice', slug: 'long-read' },
} as const;

test('an event is recorded when a thread is created, renamed or deleted, and for nothing else', async () => {
  await using hub = await services();
  const actorId = hub.caller.principal.userId;
  await hub.apply(EVERYTHING);
  const paper = { type: 'paper', id: (await hub.papers.get(hub.caller, PAPER)).discussionId };
  const post = { type: 'post', id: (await hub.posts.getPost(hub.caller, AT.post)).id };
  const article = { type: 'community_blog', id: (await hub.posts.getArticle(hub.caller, AT.article)).id };
  const all = (action: string) => [paper, post, article].map((thread) => [`thread ${action}`, { thread, actorId }]);
  expect(await hub.recorded()).toEqual(all('create'));
  await hub.apply(EVERYTHING);
  await hub.apply({ papers: [{ id: PAPER, summary: 'Rounder.', authors: [{ name: 'A.', user: 'alice' }] }] });
  expect(await hub.recorded()).toEqual([]);
  await hub.apply({
    papers: [{ id: PAPER, title: 'Of moons' }],
    posts: [{ ...EVERYTHING.posts[0]!, title: 'Hello again' }],
    articles: [{ ...EVERYTHING.articles[0]!, canonical: true }],
  });
  expect(await hub.recorded()).toEqual(all('update'));
  await hub.apply({
    papers: [{ id: PAPER, state: 'absent' }],
    posts: [{ slug: 'hello', author: 'alice', state: 'absent' }],
    articles: [{ slug: 'long-read', author: 'alice', state: 'absent' }],
  });
  expect(await hub.recorded()).toEqual(all('delete'));
});

test('the event of a comment has ids and no text, and comments are deleted with their thread', async () => {
  await using hub = await services();
  const actorId = hub.caller.principal.userId;
  await hub.apply(EVERYTHING);
  await hub.recorded();
  const paper = { type: 'paper', id: (await hub.papers.get(hub.caller, PAPER)).discussionId };
  const post = { type: 'post', id: (await hub.posts.getPost(hub.caller, AT.post)).id };
  const { newMessage: first } = await hub.papers.comment(hub.caller, PAPER, { comment: 'First' });
  const { newMessage: reply } = await hub.papers.comment(hub.caller, PAPER, { comment: 'Reply', replyTo: first.id });
  const { newMessage: said } = await hub.posts.comment(hub.caller, AT.post, { comment: 'Second' });
  expect(await hub.recorded()).toEqual([
    ['comment create', { thread: paper, commentId: first.id, actorId }],
    ['comment create', { thread: paper, commentId: reply.id, actorId }],
    ['comment create', { thread: post, commentId: said.id, actorId }],
  ]);
  await hub.papers.hideComment(hub.caller, PAPER, first.id);
  await expect(hub.papers.hideComment(hub.caller, PAPER, first.id)).rejects.toMatchObject({ status: 409 });
  expect(await hub.recorded()).toEqual([['comment update', { thread: paper, commentId: first.id, actorId }]]);
  await hub.posts.delete(hub.caller, AT.post);
  expect(await hub.recorded()).toEqual([['thread delete', { thread: post, actorId }]]);
  await hub.apply({ papers: [{ id: PAPER, state: 'absent' }] });
  expect(await hub.commentCount()).toBe(0);
});

test('deleting a user deletes the user’s threads, with events', async () => {
  await using hub = await services();
  await hub.apply({
    users: [{ name: 'bob' }],
    posts: [{ slug: 'hello', author: 'bob' }],
    articles: [{ slug: 'a', author: 'bob' }],
  });
  await hub.posts.comment(hub.caller, { kind: 'post', author: 'bob', slug: 'hello' }, { comment: 'First' });
  await hub.recorded();
  await hub.apply({ users: [{ name: 'bob', state: 'absent' }] });
  expect((await hub.recorded()).map(([what]) => what)).toEqual(['thread delete', 'thread delete', 'account delete']);
  expect(await hub.commentCount()).toBe(0);
});

test('a refused comment records no event', async () => {
  await using hub = await services();
  await hub.apply(EVERYTHING);
  await hub.recorded();
  const replyTo = '65a0c0ffee00000000000001';
  await expect(hub.papers.comment(hub.caller, PAPER, { comment: 'x', replyTo })).rejects.toMatchObject({ status: 404 });
  expect(await hub.recorded()).toEqual([]);
});

test('creating and deciding a claim record one event each', async () => {
  await using hub = await services();
  const { userId } = hub.caller.principal;
  await hub.apply(EVERYTHING);
  await hub.recorded();
  for (const _ of [1, 2]) await hub.claims.request(hub.caller, { paperId: PAPER });
  const { items } = await hub.claims.listOwn(hub.caller, { limit: 10 });
  const claimId = items[0]?.id ?? '';
  for (const decide of [hub.claims.reject, hub.claims.verify])
    for (const _ of [1, 2]) await decide(hub.caller, claimId);
  const paperId = (await hub.papers.get(hub.caller, PAPER)).discussionId;
  const rest = { claimId, paperId, userId, actorId: userId };
  expect(await hub.recorded()).toEqual([
    ['claim request', rest],
    ['claim reject', rest],
    ['claim verify', rest],
  ]);
});

test('a comment added while its thread is deleted is either deleted with it or refused', async () => {
  await using hub = await services();
  for (let round = 0; round < 5; round++) {
    await hub.apply(EVERYTHING);
    const comment = () =>
      Promise.allSettled([
        hub.posts.comment(hub.caller, AT.post, { comment: 'x' }),
        hub.papers.comment(hub.caller, PAPER, { comment: 'x' }),
      ]);
    const [early, , , late] = await Promise.all([
      comment(),
      hub.posts.delete(hub.caller, AT.post),
      hub.apply({ papers: [{ id: PAPER, state: 'absent' }] }),
      comment(),
    ]);
    for (const result of [...early, ...late])
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 404 });
    expect(await hub.commentCount()).toBe(0);
  }
});
