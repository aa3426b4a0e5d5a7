import { type Compilable, type RawBuilder, sql } from 'kysely';
import { readable, repoColumnsOf } from '../../access/index.ts';
import { PLANNED_ANEW } from '../../platform/database/named-statements.ts';
import { readTextRows, textRows } from '../../platform/database/packed/text-rows.ts';
import { immediateValues, prepared } from '../../platform/database/prepared.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { memoize } from '../../platform/memoize.ts';
import { parseJson } from '../../platform/stored-form.ts';
import type { Filter } from './filter.ts';
import { type FilterShape, type FilterValues, filterConditions, shapeOf, valuesOf } from './filter-conditions.ts';
import { PAGE_SIZE } from './page-size.ts';
import { concernsUser } from './request-conditions.ts';
import { WATCHES } from './subject.ts';

/** A notification as a page lists it. */
export interface StoredNotification {
  readonly threadId: string;
  readonly updatedAt: number;
  readonly read: boolean;
  readonly eventId: string | null;
  /** The stored preview of the thread, as `presentThread` made it; empty where there is none. */
  readonly preview: string;
}

export interface InboxPage {
  readonly rows: readonly StoredNotification[];
  /** The notifications in the inbox, the unread ones, and those that match the filter. */
  readonly all: number;
  readonly unread: number;
  readonly view: number;
}

export interface PageBounds {
  readonly start: number;
  /** The token of the request, where it reaches less than its user. */
  readonly viewer: Principal | undefined;
}

interface Args extends FilterValues {
  readonly offset: number;
}

interface PageShape {
  readonly filter: FilterShape;
  readonly isFirst: boolean;
}

interface PageRow {
  readonly all_count: number;
  readonly unread_count: number;
  readonly view: number;
  readonly rows: string | null;
}

/** The columns of a row of the page, in the order in which `readNotification` reads them. */
const COLUMNS = [
  sql`n.updated_at`,
  sql`n.read`,
  sql`n.thread_id`,
  sql`coalesce(n.event_id, '')`,
  sql`coalesce(shown.body, '')`,
];

function readNotification([updatedAt, read, threadId = '', eventId, preview = '']: string[]): StoredNotification {
  return { threadId, updatedAt: Number(updatedAt), read: read === '1', eventId: eventId || null, preview };
}

const EVERYTHING = shapeOf({ unread: false, involvement: WATCHES });
const UNREAD = shapeOf({ unread: true, involvement: WATCHES });

const hasFilter = ({ until, subject, sources, threads, involvement }: FilterShape): boolean =>
  until || subject || sources !== 'any' || threads || involvement !== WATCHES;

/**
 * Counters and one page in one statement. An index alone finds the keys of the page; only for these keys the statement reads
 * previews and checks access, leaving out notifications of repositories that the user may no longer read. The join takes the
 * user from the key: with the user as a value PostgreSQL would read all notifications of the user for each key. It takes the
 * time as well, so that PostgreSQL reads one entry of whichever index it chooses. Access takes the user as a value, so that
 * what concerns the user alone is looked up once. The length of a page is part of the text, and the start of the first one: where they
 * are values, PostgreSQL expects a tenth of an average inbox and, if that is long, plans the statement anew each time.
 */
function pageQuery(
  executor: ReadExecutor,
  { filter: shape, isFirst }: PageShape,
  argument: (name: keyof Args) => RawBuilder<unknown>,
  viewer?: Principal,
): RawBuilder<PageRow> {
  const where = filterConditions(executor, shape, argument, viewer);
  const facts = repoColumnsOf('r');
  const reader = sql<string>`${argument('userId')}`;
  const count = (condition: RawBuilder<unknown>) => sql`(select count(*) from notifications n where ${condition})`;
  /** The stored counters include what a limited token must not learn of; for such a token the rows are counted. */
  const total = (counter: 'unread_count' | 'all_count') =>
    viewer
      ? count(filterConditions(executor, counter === 'unread_count' ? UNREAD : EVERYTHING, argument, viewer))
      : sql`coalesce(${sql.ref(`i.${counter}`)}, 0)`;
  const view = viewer || hasFilter(shape) ? count(where) : total(shape.unread ? 'unread_count' : 'all_count');
  return sql<PageRow>`
    ${sql.raw(shape.threads ? PLANNED_ANEW : '')}
    select ${total('all_count')} as all_count, ${total('unread_count')} as unread_count, ${view} as view, (
      select ${textRows(executor, COLUMNS)}
      from (
        select n.thread_id, n.user_id, n.updated_at from notifications n where ${where}
        order by n.updated_at desc, n.thread_id limit ${sql.lit(PAGE_SIZE)} ${isFirst ? sql`` : sql`offset ${argument('offset')}`}
      ) as k
      left join notifications n on n.thread_id = k.thread_id and n.user_id = k.user_id and n.updated_at = k.updated_at
      left join shown_threads shown on shown.thread_id = n.thread_id
      left join repositories r on r.id = n.source_id
      where n.subject in ('paper', 'post', 'community_blog')
        or (r.id is not null and ${readable(facts, reader)}
          and ${concernsUser('n', 'r.owner_id')})
    ) as rows
    from (select 1 as one) as one left join inboxes i on i.user_id = ${argument('userId')}`;
}

/** One prepared query per shape of a page, and there are fewer shapes than this keeps. */
const preparedPage = memoize(500, (shape) =>
  prepared<Args>()((executor, argument): Compilable<PageRow> => {
    const query = pageQuery(executor, parseJson<PageShape>(shape), argument);
    return { compile: () => query.compile(executor) };
  }),
);

/** More notifications than any inbox has, and an integer on both engines. */
const MAX_OFFSET = 2 ** 31;

/** Returns a page of a user's notifications, the latest update first. */
export async function findPage(
  executor: ReadExecutor,
  userId: string,
  filter: Filter,
  { start, viewer }: PageBounds,
): Promise<InboxPage> {
  const shape: PageShape = { filter: shapeOf(filter), isFirst: start === 0 };
  const args: Args = { ...valuesOf(userId, filter), offset: Math.min(start, MAX_OFFSET) };
  const [page] = viewer
    ? (await pageQuery(executor, shape, immediateValues(args), viewer).execute(executor)).rows
    : await preparedPage(JSON.stringify(shape))(executor, args);
  const rows = readTextRows(page?.rows ?? null, COLUMNS.length).map(readNotification);
  return {
    rows: rows.sort(byUpdate),
    all: page?.all_count ?? 0,
    unread: page?.unread_count ?? 0,
    view: page?.view ?? 0,
  };
}

const byUpdate = (a: StoredNotification, b: StoredNotification) =>
  b.updatedAt - a.updatedAt || (a.threadId < b.threadId ? -1 : 1);
