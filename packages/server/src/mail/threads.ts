import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { readable, repoColumns } from '../access/index.ts';
import type { CommentData, ParsedText } from '../comments/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { unnest } from '../platform/database/where-in.ts';
import { repoUrls } from '../repositories/index.ts';
import { hasMuted } from '../watching/index.ts';
import type { MailRow } from './tables.ts';

/** Where people talk, as a mail to one of them shows it. */
export interface Thread {
  readonly title: string;
  /** Before the title in a subject: `acme/bert`. */
  readonly place: string;
  /** After the title: `#7`, an arXiv identifier. */
  readonly number: string | undefined;
  readonly url: string;
  /** Whose repository it is in; empty: in none. */
  readonly ownerId: string;
}

export interface ThreadComment {
  readonly id: string;
  /** Undefined where the account is gone. */
  readonly author: string | undefined;
  readonly text: ParsedText;
}

type About = Pick<MailRow, 'user_id' | 'kind'> & { readonly threadId: string };

/** A thread for a user who may read it and has not muted it now; otherwise undefined, as when it is gone. */
export const findThread = async (executor: Executor, about: About, hubUrl: string): Promise<Thread | undefined> =>
  (await discussion(executor, about, hubUrl)) ??
  (await paper(executor, about, hubUrl)) ??
  (await post(executor, about, hubUrl));

/** That a user has muted none of these. */
const notMuted = (userId: string, ...targets: RawBuilder<string>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`not (${sql.join(
    targets.map((target) => hasMuted(sql.val(userId), target)),
    sql` or `,
  )})`;

async function discussion(executor: Executor, { user_id, kind, threadId }: About, hubUrl: string) {
  const repoId = sql.ref<string>('repositories.id');
  const row = await executor
    .selectFrom('discussions')
    .innerJoin('repositories', 'repositories.id', 'discussions.repo_id')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select([
      'discussions.num',
      'discussions.title',
      'repositories.type',
      'repositories.name',
      'accounts.name as owner',
      'repositories.owner_id as ownerId',
    ])
    .where('discussions.id', '=', threadId)
    .where('repositories.discussions_disabled', '=', 0)
    .where(readable(repoColumns, sql.val(user_id)))
    // A muted repository still tells of what its reader takes part in.
    .where(notMuted(user_id, sql.ref('discussions.id'), ...(kind === 'discussions_watched' ? [repoId] : [])))
    .executeTakeFirst();
  if (!row) return undefined;
  const place = `${row.owner}/${row.name}`;
  const url = `${repoUrls(hubUrl, row.type, place).web}/discussions/${row.num}`;
  return { title: row.title, place, number: `#${row.num}`, url, ownerId: row.ownerId };
}

async function paper(executor: Executor, { user_id, threadId }: About, hubUrl: string) {
  const row = await executor
    .selectFrom('papers')
    .select(['arxiv_id', 'title'])
    .where('id', '=', threadId)
    .where(notMuted(user_id, sql.ref('papers.id')))
    .executeTakeFirst();
  if (!row) return undefined;
  const { title, arxiv_id: number } = row;
  return { title, place: 'papers', number, url: paperUrl(hubUrl, number), ownerId: '' };
}

export const paperUrl = (hubUrl: string, arxivId: string): string => `${hubUrl}/papers/${arxivId}`;

async function post(executor: Executor, { user_id, threadId }: About, hubUrl: string) {
  const row = await executor
    .selectFrom('posts')
    .innerJoin('accounts', 'accounts.id', 'posts.author_id')
    .select(['posts.kind', 'posts.slug', 'posts.title', 'posts.canonical', 'accounts.name as author'])
    .where('posts.id', '=', threadId)
    .where(notMuted(user_id, sql.ref('posts.id')))
    .executeTakeFirst();
  if (!row) return undefined;
  const path = row.kind === 'article' && row.canonical === 1 ? row.slug : `${row.author}/${row.slug}`;
  const url = `${hubUrl}/${row.kind === 'article' ? 'blog' : 'posts'}/${path}`;
  return { title: row.title, place: row.author, number: undefined, url, ownerId: '' };
}

/** In JSON a quotation mark within a text is escaped: this is the flag, whatever somebody wrote. */
const HIDDEN = '%"hidden":true%';

/** The comments of a thread from one on that are not the reader's own, not hidden and not told already, in their order. */
export async function commentsSince(
  executor: Executor,
  { threadId, first, readerId, told }: { threadId: string; first: string; readerId: string; told: readonly string[] },
  limit: number,
): Promise<ThreadComment[]> {
  // A thread id stands for a discussion or for something else: one of the two has no rows.
  const { rows } = await sql<{ id: string; author: string | null; data: string }>`
    select found.id, accounts.name as author, found.data from (
      select id, author_id, data from discussion_events
      where discussion_id = ${threadId} and id >= ${first} and type = 'comment'
      union all
      select id, author_id, data from comments where thread_id = ${threadId} and id >= ${first}
    ) as found left join accounts on accounts.id = found.author_id
    where (found.author_id is null or found.author_id <> ${readerId})
      and found.data not like ${HIDDEN} and found.id not in ${unnest(executor, told)}
    order by found.id limit ${limit}`.execute(executor);
  return rows.map(({ id, author, data }) => ({
    id,
    author: author ?? undefined,
    text: JSON.parse(data) as CommentData,
  }));
}
