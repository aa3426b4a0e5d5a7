import type { Executor } from '../platform/database/transaction.ts';
import { findNotice, type Notice, type NoticeParts } from './notices.ts';
import { addressFor } from './recipients.ts';
import { toldSince } from './store.ts';
import type { MailRow } from './tables.ts';
import { commentsSince, findThread, type Thread, type ThreadComment } from './threads.ts';

/** More of them in one mail nobody reads. */
const MAX_COMMENTS = 100;
/** Characters of all comments together: programs for mail cut off what is longer. */
const MAX_CHARACTERS = 100_000;

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
  parts: NoticeParts,
): Promise<MailContents | undefined> {
  const { thread_id: threadId, first_comment_id: first, user_id: userId, kind } = mail;
  if (threadId === null) return readNotice(executor, mail, parts);
  if (first === null) return undefined;
  const thread = await findThread(executor, { user_id: userId, kind, threadId }, parts.hubUrl);
  const to = thread && (await addressFor(executor, { userId, kind, ownerId: thread.ownerId }));
  if (!thread || to === undefined) return undefined;
  const told = await toldSince(executor, mail, first);
  const from = { threadId, first, readerId: userId, told };
  const found = await commentsSince(executor, from, MAX_COMMENTS + 1);
  if (found.length === 0) return undefined;
  const comments = fitting(found.slice(0, MAX_COMMENTS));
  return { to, thread: { ...thread, id: threadId }, comments, more: found.length > comments.length };
}

/** The first comments that fit into one mail: one at least. */
function fitting(comments: readonly ThreadComment[]): ThreadComment[] {
  let left = MAX_CHARACTERS;
  return comments.filter(({ text }, at) => {
    left -= text.raw.length;
    return at === 0 || left >= 0;
  });
}

/** To the user, unless the notice is for somebody else. */
async function readNotice(executor: Executor, mail: MailRow, parts: NoticeParts): Promise<MailContents | undefined> {
  const notice = await findNotice(executor, mail, parts);
  const { user_id: userId, kind } = mail;
  const to = notice && (notice.to ?? (await addressFor(executor, { userId, kind, ownerId: '' })));
  return notice && to !== undefined ? { to, notice } : undefined;
}
