import { setTimeout as pause } from 'node:timers/promises';
import { hex, numbers } from './generate.ts';
import type { BenchHub } from './hub.ts';

const ROWS_PER_STATEMENT = 20_000;
const REPOS = 2_000;
const THREADS = 100_000;
/** The number of users beside the one with the big inbox. */
const USERS = 50_000;
const TYPES = ['model', 'dataset', 'space', 'kernel'] as const;

/** Values by which the filters of the big inbox select notifications. */
export const FILLED = { repo: 'crowd/r-6', repoType: 'space', arxivId: '2401.00001', slug: 'essay', author: 'u-5' };

const idSql = (kind: string, of: string) => `('${kind}' || ${hex(of, 23)})`;
const repoTypeSql = (thread: string) =>
  `case (${thread}) % 4 ${TYPES.map((type, at) => `when ${at} then '${type}'`).join(' ')} end`;
const repoIdSql = (thread: string) => idSql('c', `(${thread}) % ${REPOS}`);

/** Runs statements over the numbers from 0 in parts, with a pause after each in which the hub can use its database. */
async function inParts(count: number, statement: (part: string) => string, hub: BenchHub): Promise<void> {
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    await hub.side.run(statement(numbers(from, Math.min(from + ROWS_PER_STATEMENT, count) - 1)));
    await pause(5);
  }
}

/** Inserts users, repositories, discussions with participants, a paper and an article. */
async function fillThreads(hub: BenchHub): Promise<void> {
  const account = 'insert into accounts (id, kind, name, name_key, fullname, created_at)';
  const crowd = idSql('b', '0');
  await inParts(
    USERS,
    (part) => `${account} select ${idSql('a', 'i')}, 'user', 'u-' || i, 'u-' || i, 'U', 0 from ${part}`,
    hub,
  );
  await hub.side.run(`${account} values (${crowd}, 'org', 'crowd', 'crowd', 'Crowd', 0)`);
  await hub.side.run(`insert into repositories (id, type, owner_id, name, name_key, private, created_at)
    select ${idSql('c', 'i')}, ${repoTypeSql('i')}, ${crowd}, 'r-' || i, 'r-' || i, 0, 0 from ${numbers(0, REPOS - 1)}`);
  await inParts(
    THREADS,
    (part) => `insert into discussions (id, repo_id, num, title, status, is_pull_request, author_id, created_at)
      select ${idSql('d', 'i')}, ${repoIdSql('i')}, i / ${REPOS} + 1, 'A discussion of this and that ' || i, 'open', 0,
        ${idSql('a', 'i % 1000')}, 0 from ${part}`,
    hub,
  );
  await inParts(
    3 * THREADS,
    (part) => `insert into thread_participants (thread_id, user_id, source_id, wrote, mentioned, last_at)
      select ${idSql('d', 'i / 3')}, ${idSql('a', `(i * 7) % ${USERS}`)}, ${repoIdSql('i / 3')}, 1, 0, i from ${part}`,
    hub,
  );
  await hub.side.run(`insert into papers (id, arxiv_id, title, summary, created_at)
    values (${idSql('e', '0')}, '${FILLED.arxivId}', 'A paper', '', 0)`);
  await hub.side.run(`insert into posts (id, kind, author_id, slug, title, created_at)
    values (${idSql('f', '0')}, 'article', ${idSql('a', '5')}, '${FILLED.slug}', 'An essay', 0)`);
}

/** Inserts the preview of each discussion, which the hub stores at each of its events. */
async function fillShown(hub: BenchHub): Promise<void> {
  const writer = (i: string) => {
    const user = `((${i} * 7) % ${USERS})`;
    return `'{"_id":"' || ${idSql('a', user)} || '","avatar":"/avatars/' || ${idSql('a', user)} || '.svg","user":"u-' || ${user} || '"}'`;
  };
  const body = `'{"type":"repo","repo":{"name":"crowd/r-' || (i % ${REPOS}) || '","type":"' || ${repoTypeSql('i')}
    || '"},"discussion":{"num":' || (i / ${REPOS} + 1) || ',"title":"A discussion of this and that ' || i
    || '","status":"open","id":"' || ${idSql('d', 'i')} || '","isPullRequest":false,"participating":['
    || ${writer('(i * 3 + 2)')} || ',' || ${writer('(i * 3 + 1)')} || ',' || ${writer('(i * 3)')} || ']}'`;
  await inParts(
    THREADS,
    (part) => `insert into shown_threads (thread_id, source_id, body, discussion_id)
      select ${idSql('d', 'i')}, ${repoIdSql('i')}, ${body}, ${idSql('d', 'i')} from ${part}`,
    hub,
  );
}

/** Inserts notifications of one user about the first threads, or of all others about some threads each; a fifth is unread. */
async function fillNotifications(hub: BenchHub, count: number, user: string, thread: string): Promise<void> {
  await inParts(
    count,
    (part) => `insert into notifications (thread_id, user_id, subject, source_id, involvement, updated_at, read,
        activity_id, event_id)
      select ${idSql('d', thread)}, ${user}, ${repoTypeSql(thread)}, ${repoIdSql(thread)},
        case when i % 10 = 0 then 2 when i % 10 < 4 then 1 else 0 end,
        cast(1700000000000 as bigint) + cast(i as bigint) * 7919 % 1000003 * 1000,
        case when i % 5 = 0 then 0 else 1 end, ${idSql('9', 'i')}, ${idSql('8', 'i')} from ${part}`,
    hub,
  );
}

/** Inserts notifications, among them those of the given user. */
export async function fillInbox(hub: BenchHub, user: string, own: number, all: number): Promise<void> {
  await fillThreads(hub);
  await fillNotifications(hub, own, `'${user}'`, 'i');
  // Each user gets consecutive threads from a different start, so that no user has the same thread twice.
  const each = Math.max(1, Math.ceil((all - own) / USERS));
  await fillNotifications(
    hub,
    Math.max(0, all - own),
    idSql('a', `i / ${each}`),
    `(i / ${each} * 37 + i % ${each} * 911) % ${THREADS}`,
  );
  const counted = (which: string) =>
    hub.side.run(`insert into inboxes (user_id, all_count, unread_count, version)
      select user_id, count(*), sum(1 - read), 1 from notifications where ${which} group by user_id`);
  await counted(`user_id = '${user}'`);
  for (let from = 0; from < USERS; from += 1000)
    await counted(`user_id >= ${idSql('a', `${from}`)} and user_id < ${idSql('a', `${from + 1000}`)}`);
  const page = async () => {
    const { accessToken } = hub.connection;
    const answer = await fetch(new URL('/api/notifications', hub.url), {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    return answer.text();
  };
  const asMade = await page();
  await fillShown(hub);
  if ((await page()) !== asMade) throw new Error('What is filled in is not what the hub makes');
  await hub.side.settle();
}

/** Makes users watch a repository. */
export const watchRepo = (hub: BenchHub, repoId: string, count: number): Promise<void> =>
  hub.side.run(`insert into watches (user_id, target_type, target_id, created_at)
    select ${idSql('a', 'i')}, 'repo', '${repoId}', 0 from ${numbers(0, count - 1)}`);
