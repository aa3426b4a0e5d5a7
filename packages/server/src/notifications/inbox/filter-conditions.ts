import { type RawBuilder, sql } from 'kysely';
import { readableBy, repoColumnsOf } from '../../access/index.ts';
import { textsOf } from '../../platform/database/packed/json-values.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import type { Filter } from './filter.ts';
import { WATCHES } from './subject.ts';

/** The values that the conditions of a filter compare with: given, or placeholders of a prepared query. */
export interface FilterValues {
  readonly userId: string;
  readonly until: number;
  readonly subject: string;
  readonly sourceId: string;
  /** A JSON array. */
  readonly sourceIds: string;
  /** A JSON array. */
  readonly threadIds: string;
}

/** Which conditions a filter has: filters of one shape have the same SQL. */
export interface FilterShape {
  readonly unread: boolean;
  readonly involvement: number;
  readonly until: boolean;
  readonly subject: boolean;
  readonly sources: 'any' | 'one' | 'some';
  readonly threads: boolean;
}

export const shapeOf = ({ unread, involvement, until, subject, sourceIds, threadIds }: Filter): FilterShape => ({
  unread,
  involvement,
  until: until !== undefined,
  subject: subject !== undefined,
  sources: sourceIds === undefined ? 'any' : sourceIds.length === 1 ? 'one' : 'some',
  threads: threadIds !== undefined,
});

export const valuesOf = (userId: string, { until, subject, sourceIds, threadIds }: Filter): FilterValues => ({
  userId,
  until: until ?? 0,
  subject: subject ?? '',
  sourceId: sourceIds?.[0] ?? '',
  sourceIds: JSON.stringify(sourceIds ?? []),
  threadIds: JSON.stringify(threadIds ?? []),
});

type Value = (name: keyof FilterValues) => RawBuilder<unknown>;

/**
 * Returns the conditions of a filter on `notifications n`. Flags are literals, which partial indexes need; a single source is
 * compared by equality, which the order of an index needs. With `viewer` the conditions also leave out what that token does
 * not reach.
 */
export function filterConditions(
  executor: ReadExecutor,
  shape: FilterShape,
  value: Value,
  viewer?: Principal,
): RawBuilder<boolean> {
  const { involvement, sources } = shape;
  const all = [
    isOwned(executor, shape, value),
    ...(shape.unread ? [sql`n.read = 0`] : []),
    ...(shape.until ? [sql`n.updated_at <= ${value('until')}`] : []),
    ...(shape.subject ? [sql`n.subject = ${value('subject')}`] : []),
    ...(involvement > WATCHES ? [sql`n.involvement >= ${sql.lit(involvement)}`] : []),
    ...(sources === 'one' ? [sql`n.source_id = ${value('sourceId')}`] : []),
    ...(sources === 'some' ? [sql`n.source_id in ${textsOf(executor, value('sourceIds'))}`] : []),
    ...(viewer ? [isReached(viewer)] : []),
  ];
  return sql`${sql.join(all, sql` and `)}`;
}

/**
 * With thread ids, each row is looked up by user and thread: with an equality on the user, the database would choose an
 * index over all notifications of the user.
 */
const isOwned = (executor: ReadExecutor, { threads }: FilterShape, value: Value) =>
  threads
    ? sql`(n.user_id, n.thread_id) in (
        select cast(${value('userId')} as text), value from ${textsOf(executor, value('threadIds'))} as threads
      )`
    : sql`n.user_id = ${value('userId')}`;

const isReached = (viewer: Principal) => sql`(
  n.subject in ('paper', 'post', 'community_blog') or exists (
    select 1 from repositories s where s.id = n.source_id and ${readableBy(repoColumnsOf('s'), viewer)}
  )
)`;
