import type { AccountEvent } from '../../accounts/index.ts';
import type { ThreadEvent } from '../../comments/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { AGAIN, type Reaction } from '../../platform/events/reaction.ts';
import type { RepoEvent } from '../../repositories/index.ts';
import { PAGE } from '../clean-up/page-size.ts';
import {
  deleteParticipant,
  deletePreview,
  deletePreviewsOfOwner,
  deletePreviewsOfSource,
  deletePreviewsOfThreads,
  threadsOfParticipant,
} from './preview-store.ts';

/*
 * A preview shows names and avatars of repositories, accounts and articles. When one of these changes, the stored previews are
 * deleted, and made again when somebody reads them; an activity in a thread stores its preview anew. Each reaction deletes a
 * page of previews.
 */

const onRepoEvent: Reaction<RepoEvent> = async (tx, event) => {
  const { action, repo } = event.data;
  if (action !== 'move') return undefined;
  return (await deletePreviewsOfSource(tx, repo.id)) === PAGE ? AGAIN : undefined;
};

/** Handles the topic `thread`: changes of papers, posts and articles. */
const onThreadEvent: Reaction<ThreadEvent> = async (tx, event) => {
  await deletePreview(tx, event.data.thread.id);
  return undefined;
};

/**
 * Invalidates the next page of threads in which an account wrote or was mentioned; a deleted account is no longer a participant.
 * Returns the last thread of a full page.
 */
async function invalidateOfParticipant(tx: Executor, { accountId, action }: AccountEvent, after: string) {
  const threadIds = await threadsOfParticipant(tx, accountId, after);
  if (threadIds.length > 0) {
    await deletePreviewsOfThreads(tx, threadIds);
    if (action === 'delete') await deleteParticipant(tx, accountId, threadIds);
  }
  return threadIds.length < PAGE ? undefined : threadIds.at(-1);
}

const onAccountEvent: Reaction<AccountEvent> = async (tx, event, after = AGAIN) => {
  const change = event.data;
  // Previews show a disabled account as before.
  if (change.action === 'disable') return undefined;
  if (after !== AGAIN) return invalidateOfParticipant(tx, change, after);
  const count = await deletePreviewsOfOwner(tx, change.accountId);
  return count === PAGE ? AGAIN : invalidateOfParticipant(tx, change, '');
};

export const previewInvalidation = { onRepoEvent, onThreadEvent, onAccountEvent };
