import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  changeDiscussionStatus,
  commentDiscussion,
  createDiscussion,
  editComment,
  getDiscussion,
  mergePullRequest,
} from '@moonbase/client/discussions';
import { listNotifications } from '@moonbase/client/notifications';
import { commentPaper, getPaper, replyToPaperComment } from '@moonbase/client/papers';
import { commentArticle, commentPost, getArticle, getPost } from '@moonbase/client/posts';
import type { CommentEvent } from '@moonbase/contract/discussions/comments';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { collect, person, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { startMailServer } from '../../packages/server/test/smtp-server.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';

/** Tables of 65,536 cells each, which render to 30 MB of HTML. */
const TABLES = `${'|a'.repeat(180)}\n${'|-'.repeat(180)}\n${'|\n'.repeat(362)}\n`.repeat(60).slice(0, 65_000);
const HOSTILE = `${TABLES}@bob`;
const MAX_HTML = 2_000_000;

const THINGS = {
  users: [person('alice'), { ...person('bob'), email: 'bob@example.com' }],
  repos: [{ type: 'model' as const, name: 'alice/things' }],
  papers: [{ id: '2401.01234' }],
  posts: [{ slug: 'hello', author: 'alice' }],
  articles: [{ slug: 'long-read', author: 'alice' }],
};
const REPO = { type: 'model', repo: 'alice/things' } as const;

/** Measures the processor time of the whole process, which does not depend on other programs. */
async function secondsOf<T>(work: Promise<T>): Promise<{ value: T; seconds: number }> {
  const from = process.cpuUsage();
  const value = await work;
  const { user, system } = process.cpuUsage(from);
  return { value, seconds: (user + system) / 1e6 };
}

const isComment = (event: { type: string }): event is z.infer<typeof CommentEvent> => event.type === 'comment';

async function htmlOf(hub: TestHub, num: number): Promise<string[]> {
  const { events } = await getDiscussion({ ...hub.as('bob'), ...REPO, num });
  return events.filter(isComment).map(({ data }) => data.latest.html);
}

/** A database for several starts of a hub: a folder on SQLite, a database of its own on PostgreSQL. */
async function lastingDatabase() {
  if (engine === 'postgres') return createTestDatabase('empty');
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-test-'));
  return {
    environment: { MOONBASE_DATA_DIR: join(folder, 'data') },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

test('a comment full of tables is stored, shown, notified and mailed, even after a restart', async () => {
  await using server = await startMailServer();
  await using database = await lastingDatabase();
  const settings = {
    ...database.environment,
    MOONBASE_MAIL_FROM: 'Moonbase <hub@example.com>',
    MOONBASE_SMTP_URL: server.url,
  };
  {
    await using hub = await startHub(settings);
    await hub.apply(THINGS);
    await createDiscussion({ ...hub.as('alice'), ...REPO, title: 'Tables', description: 'See below.' });
    const posted = await secondsOf(commentDiscussion({ ...hub.as('alice'), ...REPO, num: 1, comment: HOSTILE }));
    expect(posted.seconds).toBeLessThan(60);
    expect(posted.value.newMessage.data.latest.raw).toBe(HOSTILE);
    const shown = await secondsOf(htmlOf(hub, 1));
    expect(shown.seconds).toBeLessThan(60);
    expect(shown.value[1]?.length).toBeLessThan(MAX_HTML);
  }
  // The hub processes the events of the comment now, as after a crash.
  await using hub = await startHub(settings);
  const drained = await secondsOf(hub.drain());
  expect(drained.seconds).toBeLessThan(60);
  const [notification, ...others] = await collect(listNotifications({ ...hub.as('bob') }));
  expect(others).toEqual([]);
  expect(notification).toMatchObject({ type: 'repo', discussion: { num: 1, title: 'Tables' } });
  hub.clock.advance(600_000);
  await hub.drain();
  const [mail, ...more] = server.received();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ subject: '[alice/things] Tables (#1)', envelope: { to: ['bob@example.com'] } });
  expect(mail?.source.length).toBeLessThan(200_000);
  expect((await htmlOf(hub, 1))[1]?.length).toBeLessThan(MAX_HTML);
});

test('a comment stored by an older release is shown and notified within the same limits', async () => {
  await using hub = await startHub();
  await hub.apply(THINGS);
  await createDiscussion({ ...hub.as('alice'), ...REPO, title: 'Tables', description: HOSTILE });
  const { read } = hub.database;
  const event = await read.selectFrom('discussion_events').select(['id', 'data']).executeTakeFirstOrThrow();
  const { parsed, ...before } = JSON.parse(event.data) as { raw: string; parsed: unknown };
  expect(parsed).toMatchObject({ mentions: ['bob'] });
  await hub.database.transaction((tx) =>
    tx
      .updateTable('discussion_events')
      .set({ data: JSON.stringify(before) })
      .where('id', '=', event.id)
      .execute(),
  );
  const { value, seconds } = await secondsOf(hub.drain().then(() => htmlOf(hub, 1)));
  expect(seconds).toBeLessThan(60);
  expect(value[0]?.length).toBeLessThan(MAX_HTML);
  expect(await collect(listNotifications({ ...hub.as('bob') }))).toHaveLength(1);
});

test('the same limits apply to every endpoint that accepts text', async () => {
  await using hub = await startHub();
  await hub.apply(THINGS);
  const alice = hub.as('alice');
  const { num: discussion } = await createDiscussion({ ...alice, ...REPO, title: 'One', description: HOSTILE });
  const draft = await createDiscussion({ ...alice, ...REPO, title: 'Two', description: HOSTILE, pullRequest: true });
  const pullRequest = { ...alice, ...REPO, num: draft.num };
  const { newMessage } = await commentDiscussion({ ...alice, ...REPO, num: discussion, comment: 'short' });
  await editComment({ ...alice, ...REPO, num: discussion, commentId: newMessage.id, content: HOSTILE });
  await changeDiscussionStatus({ ...pullRequest, status: 'open', comment: HOSTILE });
  await mergePullRequest({ ...pullRequest, comment: HOSTILE });
  const paper = { ...alice, paperId: '2401.01234' };
  const onPaper = await commentPaper({ ...paper, comment: HOSTILE });
  await replyToPaperComment({ ...paper, commentId: onPaper.newMessage.id, comment: HOSTILE });
  const post = { ...alice, username: 'alice', postSlug: 'hello' };
  await commentPost({ ...post, comment: HOSTILE });
  const article = { ...alice, namespace: 'alice', slug: 'long-read' };
  await commentArticle({ ...article, comment: HOSTILE });

  const { value: threads, seconds } = await secondsOf(
    Promise.all([
      htmlOf(hub, discussion),
      htmlOf(hub, draft.num),
      getPaper({ ...paper, field: 'comments' }).then(({ comments = [] }) =>
        comments.map(({ data }) => data.latest.html),
      ),
      getPost(post).then(({ comments }) => comments.map(({ data }) => data.latest.html)),
      getArticle(article).then(({ comments }) => comments.map(({ data }) => data.latest.html)),
    ]),
  );
  expect(seconds).toBeLessThan(60);
  expect(threads.map((html) => html.length)).toEqual([2, 3, 2, 1, 1]);
  for (const html of threads.flat()) expect(html.length).toBeLessThan(MAX_HTML);
});
