import { type RawBuilder, sql } from 'kysely';
import { asText, jsonRows } from '../../platform/database/json-rows.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { unnest } from '../../platform/database/where-in.ts';
import { PAGE } from '../clean-up/delete-notifications.ts';
import { presentThread, type ShownThread } from '../inbox/present.ts';
import { isRepoType } from '../inbox/subject.ts';

/** What lists show of a thread, as `presentThread` makes it. */
export interface ThreadPreview {
  /** As in notifications. */
  readonly sourceId: string;
  readonly body: string;
  /** Which of the columns that name the thread does. */
  readonly column: 'discussion_id' | 'paper_id' | 'post_id';
}

/** Who wrote in the thread last. */
const latestParticipants = (executor: ReadExecutor) => sql`(
  select ${jsonRows(executor, ['a.id', 'a.name', 'a.avatar_url', 'latest.last_at'])} from (
    select user_id, last_at from thread_participants
    where thread_participants.thread_id = asked.value and wrote = 1
    order by last_at desc, user_id limit 5
  ) as latest join accounts a on a.id = latest.user_id
)`;

const COLUMNS = [
  'asked.value',
  sql`coalesce(r.id, paper.id, post.author_id)`,
  sql`case when paper.id is not null then 'paper' when post.kind = 'post' then 'post'
    when post.id is not null then 'community_blog' else r.type end`,
  sql`coalesce(d.title, paper.title, post.title)`,
  sql`coalesce(owner.name, author.name)`,
  'r.name',
  'd.num',
  'd.status',
  'd.is_pull_request',
  'post.slug',
  'post.canonical',
] as const;

type Tuple = [
  threadId: string,
  sourceId: string,
  subject: ShownThread['subject'],
  title: string,
  accountName: string,
  repoName: string,
  num: number,
  status: ShownThread['status'],
  isPullRequest: number,
  slug: string,
  canonical: number,
  participants: [id: string, name: string, avatarUrl: string | null, lastAt: number][],
];

/** Threads as they are now: id to what lists show of them. Without those that are gone. */
export async function readPreviews(
  executor: ReadExecutor,
  threadIds: readonly string[],
): Promise<Map<string, ThreadPreview>> {
  if (threadIds.length === 0) return new Map();
  const { rows } = await sql<{ threads: string }>`
    select ${asText(executor, jsonRows(executor, [...COLUMNS, latestParticipants(executor)]))} as threads
    from ${unnest(executor, threadIds)} as asked
    left join discussions d on d.id = asked.value
    left join repositories r on r.id = d.repo_id
    left join accounts owner on owner.id = r.owner_id
    left join papers paper on paper.id = asked.value
    left join posts post on post.id = asked.value
    left join accounts author on author.id = post.author_id
    where r.id is not null or paper.id is not null or post.id is not null
  `.execute(executor);
  return new Map((JSON.parse(rows[0]?.threads ?? '[]') as Tuple[]).map(shown));
}

function shown(tuple: Tuple): [id: string, shown: ThreadPreview] {
  const [id, sourceId, subject, title, accountName, repoName, num, status, pull, slug, canonical, writers] = tuple;
  const participants = writers
    .sort(([a, , , atA], [b, , , atB]) => atB - atA || (a < b ? -1 : 1))
    .map(([id, name, avatarUrl]) => ({ id, name, avatarUrl }));
  const flags = { isPullRequest: pull === 1, canonical: canonical === 1 };
  const thread = { id, subject, title, accountName, repoName, num, status, slug, ...flags, participants };
  const column = isRepoType(subject) ? 'discussion_id' : subject === 'paper' ? 'paper_id' : 'post_id';
  return [id, { sourceId, body: presentThread(thread), column }];
}

/**
 * Makes what lists show of a thread ready, as it is now. The row is held before the thread is looked at: of two that
 * run at once the second one sees what both events changed.
 */
export async function refreshPreview(tx: Executor, id: string): Promise<void> {
  await sql`
    insert into shown_threads (thread_id, source_id, body) values (${id}, '', '')
    on conflict (thread_id) do update set source_id = shown_threads.source_id
  `.execute(tx);
  const now = (await readPreviews(tx, [id])).get(id);
  if (!now) return void (await invalidatePreviews(tx, sql`select ${id}`));
  const { sourceId: source_id, body, column } = now;
  await tx
    .updateTable('shown_threads')
    .set({ source_id, body, [column]: id })
    .where('thread_id', '=', id)
    .execute();
}

/** Lets threads be made ready again: when they are read, until something happens in them. Of those asked for a page. */
export async function invalidatePreviews(tx: Executor, threadIds: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`
    delete from shown_threads where thread_id in (${threadIds} limit ${PAGE}) returning thread_id
  `.execute(tx);
  return rows.length;
}
