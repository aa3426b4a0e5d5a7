import { sql } from 'kysely';
import { readersOf } from '../../access/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { unnest, whereIn } from '../../platform/database/where-in.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { isRepoType, type Subject } from '../inbox/subject.ts';
import type { Activity } from './activity.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The rows that show who wrote in a thread, up to the id of the thread. */
const written = (subject: Subject) =>
  isRepoType(subject) ? sql`discussion_events where discussion_id = ` : sql`comments where thread_id = `;
/** Of the events of a discussion only these count as writing in it. */
const isWriting = (subject: Subject) => (isRepoType(subject) ? sql`and type in ('comment', 'status-change')` : sql``);

/**
 * Records everybody who wrote in the thread during the day before an activity as a participant, not only its actor: events
 * may be handled out of order.
 */
export async function recordWriters(tx: Executor, { thread, at }: Activity): Promise<void> {
  await sql`
    insert into thread_participants (thread_id, user_id, source_id, wrote, mentioned, last_at)
    select cast(${thread.id} as text), author_id, cast(${thread.sourceId} as text), 1, 0, max(created_at)
    from ${written(thread.subject)} ${thread.id}
      and id >= ${firstIdAt(at - DAY_MS)} and author_id is not null ${isWriting(thread.subject)}
    group by author_id
    on conflict (thread_id, user_id) do update set wrote = 1, last_at = case
      when thread_participants.wrote = 1 and thread_participants.last_at > excluded.last_at
      then thread_participants.last_at else excluded.last_at end
  `.execute(tx);
}

/** Records the users whom an activity mentions and who may read it. Returns those whom nothing in the thread mentioned before. */
export async function recordMentioned(tx: Executor, { thread, mentions, actorId, at }: Activity): Promise<string[]> {
  if (mentions.length === 0) return [];
  let readers = tx
    .selectFrom('accounts')
    .select('id')
    .where('kind', '=', 'user')
    .where(whereIn(tx, 'name_key', mentions))
    .where('id', '<>', actorId);
  if (thread.repo) readers = readers.where(readersOf(thread.repo, sql.ref('accounts.id')));
  const userIds = (await readers.execute()).map(({ id }) => id);
  const before = await tx
    .selectFrom('thread_participants')
    .select('user_id')
    .where('thread_id', '=', thread.id)
    .where('mentioned', '=', 1)
    .where(whereIn(tx, 'user_id', userIds))
    .execute();
  const known = new Set(before.map(({ user_id }) => user_id));
  const fresh = userIds.filter((id) => !known.has(id));
  if (fresh.length > 0)
    await sql`
      insert into thread_participants (thread_id, user_id, source_id, wrote, mentioned, last_at)
      select cast(${thread.id} as text), value, cast(${thread.sourceId} as text), 0, 1, cast(${at} as bigint)
      from ${unnest(tx, fresh)} as fresh where true
      on conflict (thread_id, user_id) do update set mentioned = 1
    `.execute(tx);
  return fresh;
}
