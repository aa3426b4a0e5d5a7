import { type RawBuilder, sql } from 'kysely';
import { readableBy } from '../../access/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import type { Filter } from './filter.ts';
import { textsOf } from './json-values.ts';
import { WATCHES } from './subject.ts';

/** The values of a filter's conditions: given, or the places for them in a query that is kept. */
export interface FilterValues {
  readonly userId: string;
  readonly until: number;
  readonly subject: string;
  readonly sourceId: string;
  /** JSON. */
  readonly sourceIds: string;
  /** JSON. */
  readonly threadIds: string;
}

/** Which conditions there are: what makes the text of a query. */
export interface Shape {
  readonly unread: boolean;
  readonly involvement: number;
  readonly until: boolean;
  readonly subject: boolean;
  readonly sources: 'any' | 'one' | 'some';
  readonly threads: boolean;
}

export const shapeOf = ({ unread, involvement, until, subject, sourceIds, threadIds }: Filter): Shape => ({
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
 * The conditions on `notifications n`. Flags stand in the text, as partial indexes need; one source is an equation, as
 * the order of an index needs. `viewer`: with a token that reads less than its user.
 */
export function conditions(
  executor: ReadExecutor,
  shape: Shape,
  value: Value,
  viewer?: Principal,
): RawBuilder<boolean> {
  const { involvement, sources } = shape;
  const all = [
    owned(executor, shape, value),
    ...(shape.unread ? [sql`n.read = 0`] : []),
    ...(shape.until ? [sql`n.updated_at <= ${value('until')}`] : []),
    ...(shape.subject ? [sql`n.subject = ${value('subject')}`] : []),
    ...(involvement > WATCHES ? [sql`n.involvement >= ${sql.lit(involvement)}`] : []),
    ...(sources === 'one' ? [sql`n.source_id = ${value('sourceId')}`] : []),
    ...(sources === 'some' ? [sql`n.source_id in ${textsOf(executor, value('sourceIds'))}`] : []),
    ...(viewer ? [reachedBy(viewer)] : []),
  ];
  return sql`${sql.join(all, sql` and `)}`;
}

/** Of few threads the rows are looked up one by one: as an equation the user would lead to an index over all. */
const owned = (executor: ReadExecutor, { threads }: Shape, value: Value) =>
  threads
    ? sql`(n.user_id, n.thread_id) in (
        select cast(${value('userId')} as text), value from ${textsOf(executor, value('threadIds'))} as threads
      )`
    : sql`n.user_id = ${value('userId')}`;

const reachedBy = (viewer: Principal) => sql`(
  n.subject in ('paper', 'post', 'community_blog') or exists (
    select 1 from repositories s where s.id = n.source_id and ${readableBy(
      {
        id: sql.ref('s.id'),
        private: sql.ref('s.private'),
        ownerId: sql.ref('s.owner_id'),
        groupId: sql.ref('s.resource_group_id'),
      },
      viewer,
    )}
  )
)`;
