import { advisoryLockShared } from '../../platform/database/transaction.ts';
import type { Reaction } from '../../platform/events/reaction.ts';
import { type AccessRequestEvent, handlersOf } from '../../repositories/index.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { TAKES_PART } from '../inbox/subject.ts';
import type { RecipientsOf } from './recipient-store.ts';
import { findRequestThread } from './thread-store.ts';
import { upsertNotifications } from './upsert-notifications.ts';

interface Dependencies {
  readonly inboxes: Inboxes;
  readonly recipientsOf: RecipientsOf;
}

/** More than are told of a request. */
const LIMIT = 100;

/**
 * Creates the reaction that tells those who decide of a request that waits. All requests for a repository are one thread, whose
 * id is that of the repository: its preview is made when it is read, and names nobody.
 */
export const createAccessNotices =
  ({ inboxes, recipientsOf }: Dependencies): Reaction<AccessRequestEvent> =>
  async (tx, { id, createdAt: at, data: { action, requestId, repoId, actorId } }) => {
    if (action !== 'request') return undefined;
    const asked = await findRequestThread(tx, requestId);
    if (!asked?.repo) return undefined;
    // Shared lock: clean-up after lost access waits until these rows are committed, and then sees them.
    await advisoryLockShared(tx, [asked.repo.id, asked.repo.ownerId]);
    const [thread, handlers] = [await findRequestThread(tx, requestId), await handlersOf(tx, repoId)];
    if (!thread || !handlers) return undefined;
    const activity = { id, at, actorId, thread, eventId: null, mentions: [], isEdit: false };
    const page = await recipientsOf(tx, activity, { among: handlers.userIds, after: '', limit: LIMIT });
    const told = page
      .filter(({ mayBeNotified, settings }) => mayBeNotified && settings.has('gated_user_access_request'))
      .map((recipient) => ({ ...recipient, involvement: TAKES_PART }));
    await upsertNotifications(tx, inboxes, activity, told);
    return undefined;
  };
