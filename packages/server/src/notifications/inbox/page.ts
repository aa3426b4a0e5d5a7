import { type Compilable, type RawBuilder, sql } from 'kysely';
import { readable } from '../../access/index.ts';
import { PLANNED_ANEW } from '../../platform/database/named-statements.ts';
import { given, prepared } from '../../platform/database/prepared.ts';
import { isPostgres, type ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { memoize } from '../../platform/memoize.ts';
import { readPreviews } from '../thread-previews/thread-previews.ts';
import { conditions, type FilterValues, type Shape, shapeOf, valuesOf } from './conditions.ts';
import type { Filter } from './filter.ts';
import { WATCHES } from './subject.ts';

/** A notification with what is shown of its thread. */
export interface Listed {
  readonly threadId: string;
  readonly updatedAt: number;
  readonly read: boolean;
  readonly eventId: string | null;
  /** As JSON, as `presentNotification` takes it. */
  readonly body: string;
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

type Argument = (name: keyof Args) => RawBuilder<unknown>;

interface Row {
  readonly all_count: number;
  readonly unread_count: number;
  readonly view: number;
  readonly rows: string | null;
}

/** A row a line: JSON has no line breaks of its own. */
const LINE = sql`n.updated_at || ' ' || n.read || ' ' || n.thread_id || ' ' || coalesce(n.event_id, '') || ' '
  || coalesce(shown.body, '')`;

const lines = (executor: ReadExecutor): RawBuilder<string | null> =>
  isPostgres(executor) ? sql`string_agg(${LINE}, chr(10))` : sql`group_concat(${LINE}, char(10))`;

/**
 * Counters and one page in one statement. The keys of the page come from an index alone; only for them is looked at
 * what is shown and whether it may be read: what may not any more is left out, whatever the rows say. The user of a key
 * comes with it: by a value that it knows, PostgreSQL would rather read all of the user's for each of the keys.
 */
function pageSql(executor: ReadExecutor, shape: Shape, argument: Argument, viewer?: Principal): RawBuilder<Row> {
  const where = conditions(executor, shape, argument, viewer);
  const facts = {
    private: sql.ref<number>('r.private'),
    ownerId: sql.ref<string>('r.owner_id'),
    groupId: sql.ref<string | null>('r.resource_group_id'),
  };
  const plain =
    !shape.until && !shape.subject && shape.sources === 'any' && !shape.threads && shape.involvement === WATCHES;
  const counted = (among: RawBuilder<unknown>) => sql`(select count(*) from notifications n where ${among})`;
  /** The counters know of what a token that reaches less than its user must not tell: for one it is counted. */
  const total = (counter: 'unread_count' | 'all_count') =>
    viewer
      ? counted(conditions(executor, counter === 'unread_count' ? UNREAD : EVERYTHING, argument, viewer))
      : sql`coalesce(${sql.ref(`i.${counter}`)}, 0)`;
  const view = viewer || !plain ? counted(where) : total(shape.unread ? 'unread_count' : 'all_count');
  return sql<Row>`
    ${sql.raw(shape.threads ? PLANNED_ANEW : '')}
    select ${total('all_count')} as all_count, ${total('unread_count')} as unread_count, ${view} as view, (
      select ${lines(executor)}
      from (
        select n.thread_id, n.user_id from notifications n where ${where}
        order by n.updated_at desc, n.thread_id limit ${argument('limit')} offset ${argument('offset')}
      ) as k
      left join notifications n on n.thread_id = k.thread_id and n.user_id = k.user_id
      left join shown_threads shown on shown.thread_id = n.thread_id
      left join repositories r on r.id = n.source_id
      where n.subject in ('paper', 'post', 'community_blog')
        or (r.id is not null and ${readable(facts, sql.ref('n.user_id'))})
    ) as rows
    from (select 1 as one) as one left join inboxes i on i.user_id = ${argument('userId')}`;
}

const EVERYTHING = shapeOf({ unread: false, involvement: WATCHES });
const UNREAD = shapeOf({ unread: true, involvement: WATCHES });

const compilable = <R>(executor: ReadExecutor, query: RawBuilder<R>): Compilable<R> => ({
  compile: () => query.compile(executor),
});

/** There are as many as combinations of filters: all of them are kept. */
const pageOf = memoize(500, (shape) =>
  prepared<Args>()((executor, argument) =>
    compilable(executor, pageSql(executor, JSON.parse(shape) as Shape, argument)),
  ),
);

/** No inbox has that many; and it is a number for both engines. */
const LAST_OFFSET = 2 ** 31;

/** A page of a user's notifications, the latest update first; `viewer`: with a token that reads less than its user. */
export async function readPage(
  executor: ReadExecutor,
  userId: string,
  filter: Filter,
  { start, limit, viewer }: { start: number; limit: number; viewer: Principal | undefined },
): Promise<InboxPage> {
  const shape = shapeOf(filter);
  const args: Args = { ...valuesOf(userId, filter), limit, offset: Math.min(start, LAST_OFFSET) };
  const [answer] = viewer
    ? (await pageSql(executor, shape, given(args), viewer).execute(executor)).rows
    : await pageOf(JSON.stringify(shape))(executor, args);
  const rows = await withBodies(executor, (answer?.rows ?? '').split('\n').filter(Boolean).map(listed));
  return {
    rows: rows.sort(byUpdate),
    all: answer?.all_count ?? 0,
    unread: answer?.unread_count ?? 0,
    view: answer?.view ?? 0,
  };
}

function listed(line: string): Listed {
  const [updatedAt = '', read, threadId = '', eventId = ''] = line.split(' ', 4);
  const body = line.slice(updatedAt.length + threadId.length + eventId.length + 5);
  return { threadId, updatedAt: Number(updatedAt), read: read === '1', eventId: eventId || null, body };
}

/** What was not ready is made now; what is gone is left out. */
async function withBodies(executor: ReadExecutor, rows: readonly Listed[]): Promise<Listed[]> {
  const missing = rows.filter(({ body }) => body === '').map(({ threadId }) => threadId);
  if (missing.length === 0) return [...rows];
  const threads = await readPreviews(executor, missing);
  return rows.flatMap((row) => {
    const body = row.body || threads.get(row.threadId)?.body;
    return body === undefined ? [] : [{ ...row, body }];
  });
}

const byUpdate = (a: Listed, b: Listed) => b.updatedAt - a.updatedAt || (a.threadId < b.threadId ? -1 : 1);
