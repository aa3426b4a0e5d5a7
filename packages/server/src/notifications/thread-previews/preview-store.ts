import { REQUESTS_NUM } from '@moonbase/contract/notifications/notifications';
import { type RawBuilder, sql } from 'kysely';
import { asText, jsonRows } from '../../platform/database/packed/json-rows.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { unnest } from '../../platform/database/where-in.ts';
import { type JsonText, parseJson } from '../../platform/stored-form.ts';
import { PAGE } from '../clean-up/page-size.ts';
import type { PreviewedThread } from '../inbox/present.ts';
import type { ShownThreadRow } from '../tables.ts';

/** Returns the participants who wrote in the thread last. */
const latestParticipants = (executor: ReadExecutor) => sql`(
  select ${jsonRows<ParticipantTuple>(executor, ['a.id', 'a.name', 'a.avatar_url', 'latest.last_at'])} from (
    select user_id, last_at from thread_participants
    where thread_participants.thread_id = asked.value and wrote = 1
    order by last_at desc, user_id limit 5
  ) as latest join accounts a on a.id = latest.user_id
)`;

type ParticipantTuple = [id: string, name: string, avatarUrl: string | null, lastAt: number];

const COLUMNS = [
  'asked.value',
  sql`coalesce(r.id, paper.id, post.author_id)`,
  sql`case when paper.id is not null then 'paper' when post.kind = 'post' then 'post'
    when post.id is not null then 'community_blog' else r.type end`,
  sql`coalesce(d.title, paper.title, post.title)`,
  sql`coalesce(owner.name, author.name)`,
  'r.name',
  'd.num',
  // The requests for access to a repository are open while one of them waits.
  sql`coalesce(d.status, case when exists (
    select 1 from access_requests request where request.repo_id = r.id and request.status = 'pending'
  ) then 'open' else 'closed' end)`,
  'd.is_pull_request',
  'post.slug',
  'post.canonical',
] as const;

/** The columns of a thread in their order, then its latest participants. */
type ThreadTuple = [
  threadId: string,
  sourceId: string,
  subject: PreviewedThread['subject'],
  title: string | null,
  accountName: string,
  repoName: string,
  num: number | null,
  status: PreviewedThread['status'],
  isPullRequest: number,
  slug: string,
  canonical: number,
  participants: ParticipantTuple[],
];

/** What the requests for access to a repository, whose thread has the id of the repository, are called. */
const REQUESTS_TITLE = 'Requests for access';

/** A thread as previews show it, with the repository, the paper, or the author of the post or article. */
export interface FoundThread {
  readonly sourceId: string;
  readonly thread: PreviewedThread;
}

/** Returns threads as they are now, without those that no longer exist. */
export async function findThreads(executor: ReadExecutor, threadIds: readonly string[]): Promise<FoundThread[]> {
  const columns = [...COLUMNS, latestParticipants(executor)];
  const { rows } = await sql<{ threads: JsonText<ThreadTuple[]> }>`
    select ${asText(executor, jsonRows<ThreadTuple>(executor, columns))} as threads
    from ${unnest(executor, threadIds)} as asked
    left join discussions d on d.id = asked.value
    left join repositories r on r.id = coalesce(d.repo_id, asked.value)
    left join accounts owner on owner.id = r.owner_id
    left join papers paper on paper.id = asked.value
    left join posts post on post.id = asked.value
    left join accounts author on author.id = post.author_id
    where r.id is not null or paper.id is not null or post.id is not null
  `.execute(executor);
  return parseJson<ThreadTuple[]>(rows[0]?.threads ?? '[]').map(foundThread);
}

function foundThread(tuple: ThreadTuple): FoundThread {
  const [id, sourceId, subject, title, accountName, repoName, num, status, pull, slug, canonical, writers] = tuple;
  const participants = writers
    .sort(([a, , , atA], [b, , , atB]) => atB - atA || (a < b ? -1 : 1))
    .map(([id, name, avatarUrl]) => ({ id, name, avatarUrl }));
  const named = { title: title ?? REQUESTS_TITLE, num: num ?? REQUESTS_NUM };
  const flags = { isPullRequest: pull === 1, canonical: canonical === 1 };
  return { sourceId, thread: { id, subject, ...named, accountName, repoName, status, slug, ...flags, participants } };
}

/** Locks the row of a thread's preview until the transaction ends, and creates it where there is none. */
export async function lockPreview(tx: Executor, threadId: string): Promise<void> {
  await sql`
    insert into shown_threads (thread_id, source_id, body) values (${threadId}, '', '')
    on conflict (thread_id) do update set source_id = shown_threads.source_id
  `.execute(tx);
}

export async function updatePreview(
  tx: Executor,
  threadId: string,
  change: Omit<Partial<ShownThreadRow>, 'thread_id'>,
): Promise<void> {
  await tx.updateTable('shown_threads').set(change).where('thread_id', '=', threadId).execute();
}

/** Deletes the stored previews that a query selects, a page of them. Returns how many were deleted. */
async function deletePreviews(tx: Executor, threadIds: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`
    delete from shown_threads where thread_id in (${threadIds} limit ${PAGE}) returning thread_id
  `.execute(tx);
  return rows.length;
}

export const deletePreview = (tx: Executor, threadId: string): Promise<number> =>
  deletePreviews(tx, sql`select ${threadId}`);

export const deletePreviewsOfThreads = (tx: Executor, threadIds: readonly string[]): Promise<number> =>
  deletePreviews(tx, sql`select thread_id from shown_threads where thread_id in (${sql.join(threadIds)})`);

export const deletePreviewsOfSource = (tx: Executor, sourceId: string): Promise<number> =>
  deletePreviews(tx, sql`select thread_id from shown_threads where source_id = ${sourceId}`);

/** Deletes previews of threads that an account wrote, or that are in its repositories. */
export const deletePreviewsOfOwner = (tx: Executor, accountId: string): Promise<number> =>
  deletePreviews(
    tx,
    sql`
      select thread_id from shown_threads where source_id = ${accountId}
      union all
      select s.thread_id from repositories r join shown_threads s on s.source_id = r.id where r.owner_id = ${accountId}`,
  );

/** Returns the next threads, by id, in which a user wrote or was mentioned. */
export async function threadsOfParticipant(tx: Executor, userId: string, after: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('thread_participants')
    .select('thread_id')
    .where('user_id', '=', userId)
    .where('thread_id', '>', after)
    .orderBy('thread_id')
    .limit(PAGE)
    .execute();
  return rows.map(({ thread_id }) => thread_id);
}

export async function deleteParticipant(tx: Executor, userId: string, threadIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('thread_participants')
    .where('user_id', '=', userId)
    .where('thread_id', 'in', threadIds)
    .execute();
}
