import { sql } from 'kysely';
import type { AccountEvent } from '../../accounts/index.ts';
import type { ThreadEvent } from '../../comments/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { AGAIN, type Reaction } from '../../platform/events/reaction.ts';
import type { RepoEvent } from '../../repositories/index.ts';
import { PAGE } from '../clean-up/delete-notifications.ts';
import { invalidatePreviews } from './thread-previews.ts';

/*
 * What is ready of threads follows what it shows of others: the names of repositories, accounts and articles, pictures.
 * What happens in a thread makes it ready anew; these are the changes beside it. Each does a page.
 */

const onRepoEvent: Reaction<RepoEvent> = async (tx, event) => {
  const { action, repo } = event.data;
  if (action !== 'move') return undefined;
  const count = await invalidatePreviews(tx, sql`select thread_id from shown_threads where source_id = ${repo.id}`);
  return count === PAGE ? AGAIN : undefined;
};

/** The topic `thread`: a paper, a post or an article. */
const onThreadEvent: Reaction<ThreadEvent> = async (tx, event) => {
  const { thread } = event.data;
  await invalidatePreviews(tx, sql`select thread_id from shown_threads where thread_id = ${thread.id}`);
  return undefined;
};

/** Where an account is the owner or the author. */
const owned = (accountId: string) => sql`
  select thread_id from shown_threads where source_id = ${accountId}
  union all
  select s.thread_id from repositories r join shown_threads s on s.source_id = r.id where r.owner_id = ${accountId}`;

/** The threads in which an account wrote, or was mentioned: the next page of them, from those of a deleted one on. */
async function ofParticipant(tx: Executor, { accountId, action }: AccountEvent, after: string) {
  const { rows } = await sql<{ thread_id: string }>`
    select thread_id from thread_participants where user_id = ${accountId} and thread_id > ${after}
    order by thread_id limit ${PAGE}
  `.execute(tx);
  const ids = sql.join(rows.map((row) => row.thread_id));
  if (rows.length > 0) {
    await invalidatePreviews(tx, sql`select thread_id from shown_threads where thread_id in (${ids})`);
    if (action === 'delete')
      await sql`delete from thread_participants where user_id = ${accountId} and thread_id in (${ids})`.execute(tx);
  }
  return rows.length < PAGE ? undefined : rows.at(-1)?.thread_id;
}

const onAccountEvent: Reaction<AccountEvent> = async (tx, event, after = AGAIN) => {
  const change = event.data;
  // Shown as before.
  if (change.action === 'disable') return undefined;
  if (after !== AGAIN) return ofParticipant(tx, change, after);
  const count = await invalidatePreviews(tx, owned(change.accountId));
  return count === PAGE ? AGAIN : ofParticipant(tx, change, '');
};

export const previewInvalidation = { onRepoEvent, onThreadEvent, onAccountEvent };
