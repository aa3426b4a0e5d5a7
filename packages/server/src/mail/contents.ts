import type { MailRow } from '../platform/database/tables.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { findNotice, type Notice } from './notices.ts';
import { addressFor } from './recipients.ts';
import { toldSince } from './store.ts';
import { commentsSince, findThread, type Thread, type ThreadComment } from './threads.ts';

/** More of them in one mail nobody reads. */
const MOST_COMMENTS = 100;

/** What a mail says, read when it is sent. */
export type MailContents = { readonly to: string } & (
  | {
      readonly thread: Thread & { readonly id: string };
      readonly comments: readonly ThreadComment[];
      /** There are comments that do not fit. */
      readonly more: boolean;
    }
  | { readonly notice: Notice }
);

/**
 * What is to be said to a user now; undefined where that is nothing: turned off, muted, out of sight, hidden, or told
 * by another mail, as a comment may be recorded while the mail before it is on its way.
 */
export async function readContents(
  executor: Executor,
  mail: MailRow,
  hubUrl: string,
): Promise<MailContents | undefined> {
  const to = await addressFor(executor, mail.user_id, mail.kind);
  if (to === undefined) return undefined;
  const { thread_id: threadId, first_comment_id: first } = mail;
  if (threadId === null) {
    const notice = await findNotice(executor, mail, hubUrl);
    return notice && { to, notice };
  }
  if (first === null) return undefined;
  const thread = await findThread(executor, { user_id: mail.user_id, kind: mail.kind, threadId }, hubUrl);
  if (!thread) return undefined;
  const told = await toldSince(executor, mail, first);
  const from = { threadId, first, readerId: mail.user_id, told };
  const found = await commentsSince(executor, from, MOST_COMMENTS + 1);
  if (found.length === 0) return undefined;
  const comments = found.slice(0, MOST_COMMENTS);
  return { to, thread: { ...thread, id: threadId }, comments, more: found.length > comments.length };
}
