import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Page } from '../section.ts';

/** The tables of notifications: those in the inbox, those that are done, and those about deleted organizations. */
type Inbox = 'notifications' | 'done_notifications' | 'hidden_notifications';

/** Returns notifications of a user. */
export const notificationsIn =
  (inbox: Inbox) =>
  (executor: ReadExecutor, { userId, after, limit }: Page<{ thread_id: string }>) =>
    executor
      .selectFrom(inbox)
      .select(['thread_id', 'subject', 'involvement', 'updated_at', 'read'])
      .where('user_id', '=', userId)
      .where('thread_id', '>', after?.thread_id ?? '')
      .orderBy('thread_id')
      .limit(limit)
      .execute();
