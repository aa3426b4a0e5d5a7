import type { Executor } from '../platform/database/transaction.ts';
import { insertThreadMails, type ThreadMail } from './store.ts';

/** Queues mails to users about threads; of several mails for one user and thread the one with the first comment counts. */
export async function queueThreadMails(
  tx: Executor,
  mails: readonly ThreadMail[],
  times: { readonly now: number; readonly dueAt: number },
): Promise<void> {
  const first = new Map<string, ThreadMail>();
  for (const mail of mails) {
    const key = `${mail.userId} ${mail.threadId}`;
    const known = first.get(key)?.commentId;
    if (known == null || (mail.commentId !== null && mail.commentId < known)) first.set(key, mail);
  }
  // One order for all, so that two transactions about a thread cannot deadlock.
  const ordered = [...first.values()].sort((a, b) => (a.userId < b.userId ? -1 : 1));
  await insertThreadMails(tx, ordered, times);
}
