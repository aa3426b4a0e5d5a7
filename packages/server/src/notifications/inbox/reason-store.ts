import { sql } from 'kysely';
import { readableBy, repoColumnsOf } from '../../access/index.ts';
import { immediateValues } from '../../platform/database/prepared.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import type { NotificationRow } from '../tables.ts';
import { filterConditions, shapeOf, valuesOf } from './filter-conditions.ts';
import { WATCHES } from './subject.ts';

/** Why a user has a notification. */
export interface StoredReason extends Pick<NotificationRow, 'thread_id' | 'source_id' | 'subject' | 'involvement'> {
  /** 1 where the user wrote in the thread. */
  readonly wrote: number | null;
  readonly thread_muted: number;
  readonly repo_name: string | null;
  readonly owner_id: string | null;
  readonly owner_name: string | null;
  readonly owner_kind: 'user' | 'org' | null;
  readonly repo_watched: number;
  readonly owner_watched: number;
}

/** Returns why a user has the notifications of some threads; leaves out what the principal may not read. */
export async function findReasons(
  executor: ReadExecutor,
  principal: Principal,
  threadIds: readonly string[],
): Promise<StoredReason[]> {
  const filter = { unread: false, involvement: WATCHES, threadIds };
  const repo = repoColumnsOf('r');
  const isListed = (table: 'watches' | 'mutes', type: string, target: string) => sql`case when exists (
    select 1 from ${sql.table(table)} listed where listed.user_id = n.user_id
      and listed.target_type = ${type} and listed.target_id = ${sql.ref(target)}
  ) then 1 else 0 end`;
  const { rows } = await sql<StoredReason>`
    select n.thread_id, n.source_id, n.subject, n.involvement, p.wrote, r.name as repo_name,
      r.owner_id, o.name as owner_name, o.kind as owner_kind, ${isListed('mutes', 'discussion', 'n.thread_id')} as thread_muted,
      ${isListed('watches', 'repo', 'r.id')} as repo_watched,
      case when exists (
        select 1 from watches w where w.user_id = n.user_id and w.target_type = o.kind and w.target_id = o.id
      ) then 1 else 0 end as owner_watched
    from notifications n
    left join thread_participants p on p.thread_id = n.thread_id and p.user_id = n.user_id
    left join repositories r on r.id = n.source_id
    left join accounts o on o.id = r.owner_id
    where ${filterConditions(executor, shapeOf(filter), immediateValues(valuesOf(principal.userId, filter)))}
      and (n.subject in ('paper', 'post', 'community_blog') or (r.id is not null and ${readableBy(repo, principal)}))
  `.execute(executor);
  return rows;
}
