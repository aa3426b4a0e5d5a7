import {
  changeDiscussionStatus,
  commentDiscussion,
  createDiscussion,
  editComment,
  getDiscussion,
  hideComment,
  mergePullRequest,
  pinDiscussion,
  renameDiscussion,
} from '@moonbase/client/discussions';
import { commentPaper, getPaper, hidePaperComment } from '@moonbase/client/papers';
import { createRepo } from '@moonbase/client/repositories';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from '../src/platform/database/migrate.ts';
import type { Database } from '../src/platform/database/transaction.ts';
import { contentHub } from './content-hub.ts';
import { startHub } from './harness.ts';
import { migrateUpTo } from './migrate-up-to.ts';
import { openEmptyDatabase } from './open-test-database.ts';
import { migrations } from './test-database.ts';

const MAX_BYTES = 16 * 2 ** 20;
const REPO = { type: 'model', repo: 'ada/m' } as const;
const FULL = { status: 409, message: expect.stringContaining('16 MiB') };

/** Returns what the threads of a hub count, and what they should. */
async function countedBytes({ read }: Database) {
  const { rows } = await sql<{ counted: number; actual: number }>`
    select event_bytes as counted, (select cast(sum(octet_length(data) + 500) as bigint) from discussion_events
      where discussion_id = discussions.id) as actual from discussions
    union all select bytes, (select cast(sum(octet_length(data) + 500) as bigint) from comments
      where thread_id = comment_threads.thread_id) from comment_threads`.execute(read);
  return { counted: rows.map(({ counted }) => counted), actual: rows.map(({ actual }) => actual) };
}

const fill = (database: Database, bytes: number) =>
  database.transaction((tx) => tx.updateTable('discussions').set({ event_bytes: bytes }).execute());

test('the bytes of a discussion are counted through comments, edits and all other changes', async () => {
  await using at = await contentHub();
  const [ada, bob] = [at.hub.as('ada'), at.hub.as('bob')];
  await createDiscussion({ ...bob, ...REPO, title: 'Späße', description: 'Grüße'.repeat(20), pullRequest: true });
  const one = { ...REPO, num: 1 };
  const { newMessage } = await commentDiscussion({ ...bob, ...one, comment: 'Ünd *mehr*'.repeat(50) });
  const comment = { ...one, commentId: newMessage.id };
  await editComment({ ...bob, ...comment, content: 'short' });
  await editComment({ ...ada, ...comment, content: 'longer, with <html> & "quotes"'.repeat(30) });
  await hideComment({ ...bob, ...comment });
  await renameDiscussion({ ...bob, ...one, title: 'Größe' });
  await pinDiscussion({ ...ada, ...one, pinned: true });
  await at.commit({ files: { x: '1' } }, { branch: 'refs/pr/1' });
  await mergePullRequest({ ...ada, ...one, comment: 'Thanks' });
  const { counted, actual } = await countedBytes(at.hub.database);
  expect(counted).toEqual(actual);
  expect(counted[0]).toBeGreaterThan(5_000);
});

test('a full discussion takes no more comments, and its owner can still settle it', async () => {
  await using hub = await startHub();
  await hub.people('ada', 'bob');
  const [ada, bob] = [hub.as('ada'), hub.as('bob')];
  await createRepo({ ...ada, repo: 'ada/m' });
  await createDiscussion({ ...bob, ...REPO, title: 'Long', description: 'It begins', pullRequest: true });
  const one = { ...REPO, num: 1 };
  const { newMessage } = await commentDiscussion({ ...bob, ...one, comment: 'x'.repeat(1_000) });
  const comment = { ...one, commentId: newMessage.id };
  await fill(hub.database, MAX_BYTES - 2_000);
  await commentDiscussion({ ...bob, ...one, comment: 'This fits' });
  await expect(commentDiscussion({ ...bob, ...one, comment: 'x'.repeat(1_000) })).rejects.toMatchObject(FULL);
  await expect(editComment({ ...bob, ...comment, content: 'x'.repeat(2_000) })).rejects.toMatchObject(FULL);
  await fill(hub.database, MAX_BYTES);
  const closing = { ...one, status: 'closed' } as const;
  for (const refused of [
    () => commentDiscussion({ ...ada, ...one, comment: 'No' }),
    () => editComment({ ...ada, ...comment, content: 'x'.repeat(1_001) }),
    () => changeDiscussionStatus({ ...ada, ...closing, comment: 'Enough' }),
    () => changeDiscussionStatus({ ...bob, ...closing }),
    () => renameDiscussion({ ...bob, ...one, title: 'Again and again' }),
  ])
    await expect(refused()).rejects.toMatchObject(FULL);
  const { events } = await getDiscussion({ ...bob, ...one });
  expect(events.map(({ type }) => type)).toEqual(['comment', 'comment', 'comment']);

  await editComment({ ...bob, ...comment, content: 'shorter' });
  await fill(hub.database, MAX_BYTES);
  await hideComment({ ...ada, ...comment });
  await renameDiscussion({ ...ada, ...one, title: 'Settled' });
  await pinDiscussion({ ...ada, ...one, pinned: true });
  await changeDiscussionStatus({ ...ada, ...closing });
  await createDiscussion({ ...bob, ...REPO, title: 'Another', description: 'It goes on here' });
});

test('a full thread on a paper takes no more comments', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  await hub.apply({ papers: [{ id: '2401.01234' }] });
  const paper = { ...hub.as('ada'), paperId: '2401.01234' };
  await commentPaper({ ...paper, comment: 'First' });
  const { newMessage } = await commentPaper({ ...paper, comment: 'Zweiter, ünd länger' });
  const { counted, actual } = await countedBytes(hub.database);
  expect(counted).toEqual(actual);
  await hub.database.transaction((tx) => tx.updateTable('comment_threads').set({ bytes: MAX_BYTES }).execute());
  await expect(commentPaper({ ...paper, comment: 'More' })).rejects.toMatchObject(FULL);
  await hidePaperComment({ ...paper, commentId: newMessage.id });
  expect((await getPaper({ ...paper, field: 'comments' })).comments).toHaveLength(2);
  await hub.apply({ papers: [{ id: '2401.01234', state: 'absent' }] });
  expect((await countedBytes(hub.database)).counted).toEqual([]);
});

test('threads of before that no response can carry show what begins them and what is newest', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  await hub.apply({ papers: [{ id: '2401.01234' }] });
  const ada = hub.as('ada');
  const paper = { ...ada, paperId: '2401.01234' };
  await createRepo({ ...ada, repo: 'ada/m' });
  await createDiscussion({ ...ada, ...REPO, title: 'Long', description: 'It begins' });
  for (let comment = 1; comment <= 25; comment++) {
    await commentDiscussion({ ...ada, ...REPO, num: 1, comment: `Comment ${comment}` });
    await commentPaper({ ...paper, comment: `Comment ${comment}` });
  }
  const padding = 'x'.repeat(2 ** 20);
  await hub.database.transaction(async (tx) => {
    for (const table of ['discussion_events', 'comments'])
      await sql`update ${sql.table(table)} set data = substr(data, 1, length(data) - 1) || ${`,"padding":"${padding}"}`}
        where data not like '%It begins%'`.execute(tx);
    await tx
      .updateTable('discussions')
      .set({ event_bytes: 25 * 2 ** 20 })
      .execute();
    await tx
      .updateTable('comment_threads')
      .set({ bytes: 25 * 2 ** 20 })
      .execute();
  });
  const { events, omittedEvents } = await getDiscussion({ ...ada, ...REPO, num: 1 });
  const raw = events.map(({ data }) => 'latest' in data && data.latest.raw);
  const newest = Array.from({ length: 19 }, (_, at) => `Comment ${at + 7}`);
  expect(raw).toEqual(['It begins', ...newest]);
  expect(omittedEvents).toBe(6);
  const { comments = [] } = await getPaper({ ...paper, field: 'comments' });
  expect(comments.map(({ data }) => data.latest.raw)).toEqual(newest);
});

test('threads of before are counted by the migration', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0124');
  await database.transaction(async (tx) => {
    const run = (statement: string) => sql.raw(statement).execute(tx);
    await run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
      values ('a', 'user', 'ada', 'ada', 'Ada', 1)`);
    await run(`insert into repositories (id, type, owner_id, name, name_key, created_at)
      values ('r', 'model', 'a', 'letters', 'letters', 10)`);
    for (const [num, id] of ['d', 'empty'].entries())
      await run(`insert into discussions (id, repo_id, num, title, status, is_pull_request, created_at)
        values ('${id}', 'r', ${num}, 'A Question', 'open', 0, 20)`);
    for (const id of ['e', 'f'])
      await run(`insert into discussion_events (id, discussion_id, type, author_id, created_at, data)
        values ('${id}', 'd', 'comment', 'a', 20, '{"raw":"ü"}')`);
    await run(`insert into comments (id, thread_type, thread_id, author_id, created_at, data)
      values ('c', 'paper', 'p', 'a', 20, '{"raw":"ü"}')`);
  });
  await migrate(database, migrations, 0);
  const discussions = await database.read
    .selectFrom('discussions')
    .select(['id', 'event_bytes'])
    .orderBy('id')
    .execute();
  expect(discussions).toEqual([
    { id: 'd', event_bytes: 1_024 },
    { id: 'empty', event_bytes: 0 },
  ]);
  expect(await database.read.selectFrom('comment_threads').selectAll().execute()).toEqual([
    { thread_id: 'p', bytes: 512 },
  ]);
});
