import type { DiscussionStatus } from '@moonbase/contract/payload';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import { readable } from '../access/index.ts';
import { asText, jsonRows } from '../platform/database/json-rows.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { remember } from '../platform/remember.ts';
import { conditions, type FilterValues, type Shape, shapeOf, valuesOf } from './conditions.ts';
import type { Filter } from './filter.ts';
import { type Subject, WATCHES } from './subject.ts';

export interface Participant {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string | null;
}

/** A notification with what is shown of its thread as it is now. */
export interface Listed {
  readonly threadId: string;
  readonly subject: Subject;
  readonly updatedAt: number;
  readonly read: boolean;
  readonly eventId: string | null;
  readonly title: string;
  /** The name of the repository's owner, or of the author. */
  readonly accountName: string;
  readonly repoName: string;
  readonly num: number;
  readonly status: DiscussionStatus;
  readonly isPullRequest: boolean;
  readonly slug: string;
  readonly canonical: boolean;
  /** Latest first. */
  readonly participants: readonly Participant[];
}

export interface InboxPage {
  readonly rows: readonly Listed[];
  readonly all: number;
  readonly unread: number;
  readonly view: number;
}

interface Args extends FilterValues {
  readonly limit: number;
  readonly offset: number;
}

type Argument = <Name extends keyof Args>(name: Name) => Args[Name];

interface Row {
  readonly all_count: number;
  readonly unread_count: number;
  readonly view: number;
  readonly rows: string;
}

/** Who wrote in the thread last. */
const latestParticipants = (executor: Executor) => sql`(
  select ${jsonRows(executor, ['a.id', 'a.name', 'a.avatar_url', 'latest.last_at'])} from (
    select user_id, last_at from thread_participants
    where thread_participants.thread_id = n.thread_id and wrote = 1
    order by last_at desc, user_id limit 5
  ) as latest join accounts a on a.id = latest.user_id
)`;

const COLUMNS = [
  'n.thread_id',
  'n.subject',
  'n.updated_at',
  'n.read',
  'n.event_id',
  sql`coalesce(d.title, paper.title, post.title)`,
  sql`coalesce(owner.name, author.name)`,
  'r.name',
  'd.num',
  'd.status',
  'd.is_pull_request',
  'post.slug',
  'post.canonical',
] as const;

/**
 * Counters and one page in one statement. The keys of the page come from an index alone; only for them the threads are
 * looked at: what is gone or may not be read any more is left out, whatever the rows say.
 */
function pageSql(executor: Executor, shape: Shape, argument: Argument, viewer?: Principal): RawBuilder<Row> {
  const where = conditions(executor, shape, argument, viewer);
  const facts = {
    private: sql.ref<number>('r.private'),
    ownerId: sql.ref<string>('r.owner_id'),
    groupId: sql.ref<string | null>('r.resource_group_id'),
  };
  const plain =
    !shape.until && !shape.subject && shape.sources === 'any' && !shape.threads && shape.involvement === WATCHES;
  const view =
    viewer || !plain
      ? sql`(select count(*) from notifications n where ${where})`
      : sql`coalesce(${sql.ref(shape.unread ? 'i.unread_count' : 'i.all_count')}, 0)`;
  return sql<Row>`
    select coalesce(i.all_count, 0) as all_count, coalesce(i.unread_count, 0) as unread_count, ${view} as view, (
      select ${asText(executor, jsonRows(executor, [...COLUMNS, latestParticipants(executor)]))}
      from (
        select n.thread_id from notifications n where ${where}
        order by n.updated_at desc, n.thread_id limit ${argument('limit')} offset ${argument('offset')}
      ) as k
      left join notifications n on n.thread_id = k.thread_id and n.user_id = ${argument('userId')}
      left join discussions d on d.id = n.thread_id
      left join repositories r on r.id = d.repo_id
      left join accounts owner on owner.id = r.owner_id
      left join papers paper on paper.id = n.thread_id
      left join posts post on post.id = n.thread_id
      left join accounts author on author.id = post.author_id
      where (r.id is not null and ${readable(facts, sql.ref('n.user_id'))}) or paper.id is not null or post.id is not null
    ) as rows
    from (select 1 as one) as one left join inboxes i on i.user_id = ${argument('userId')}`;
}

const compilable = <R>(executor: Executor, query: RawBuilder<R>): Compilable<R> => ({
  compile: () => query.compile(executor),
});

/** There are as many as combinations of filters: all of them are kept. */
const pageOf = remember(500, (shape) =>
  prepared<Args>()((executor, argument) =>
    compilable(executor, pageSql(executor, JSON.parse(shape) as Shape, argument)),
  ),
);

type Tuple = [
  threadId: string,
  subject: Subject,
  updatedAt: number,
  read: number,
  eventId: string | null,
  title: string,
  accountName: string,
  repoName: string,
  num: number,
  status: DiscussionStatus,
  isPullRequest: number,
  slug: string,
  canonical: number,
  participants: [id: string, name: string, avatarUrl: string | null, lastAt: number][],
];

/** No inbox has that many; and it is a number for both engines. */
const LAST_OFFSET = 2 ** 31;

/** A page of a user's notifications, the latest update first; `viewer`: with a token that reads less than its user. */
export async function readPage(
  executor: Executor,
  userId: string,
  filter: Filter,
  { start, limit, viewer }: { start: number; limit: number; viewer: Principal | undefined },
): Promise<InboxPage> {
  const shape = shapeOf(filter);
  const args: Args = { ...valuesOf(userId, filter), limit, offset: Math.min(start, LAST_OFFSET) };
  const [answer] = viewer
    ? (await pageSql(executor, shape, (name) => args[name], viewer).execute(executor)).rows
    : await pageOf(JSON.stringify(shape))(executor, args);
  const rows = (JSON.parse(answer?.rows ?? '[]') as Tuple[]).map(listed).sort(byUpdate);
  return { rows, all: answer?.all_count ?? 0, unread: answer?.unread_count ?? 0, view: answer?.view ?? 0 };
}

function listed([
  threadId,
  subject,
  updatedAt,
  read,
  eventId,
  title,
  accountName,
  repoName,
  num,
  status,
  isPullRequest,
  slug,
  canonical,
  participants,
]: Tuple): Listed {
  return {
    threadId,
    subject,
    updatedAt,
    read: read === 1,
    eventId,
    title,
    accountName,
    repoName,
    num,
    status,
    isPullRequest: isPullRequest === 1,
    slug,
    canonical: canonical === 1,
    participants: participants
      .sort(([a, , , atA], [b, , , atB]) => atB - atA || (a < b ? -1 : 1))
      .map(([id, name, avatarUrl]) => ({ id, name, avatarUrl })),
  };
}

const byUpdate = (a: Listed, b: Listed) => b.updatedAt - a.updatedAt || (a.threadId < b.threadId ? -1 : 1);
