import type { VouchedAddresses } from '../../organizations/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { mailedComments } from '../store.ts';
import type { MailRow } from '../tables.ts';
import { findAddress } from './address-store.ts';
import type { Notice, NoticeParts } from './notice.ts';
import { findNotice } from './notices.ts';
import { listComments } from './thread-store.ts';
import { findThread, type Thread, type ThreadComment } from './threads.ts';

/** The comments of one mail: nobody reads more of them in a mail. */
const MAX_COMMENTS = 100;
/** The characters of all comments of a mail: mail programs cut off longer mails. */
const MAX_CHARACTERS = 100_000;

interface ContentParts extends NoticeParts {
  /** The addresses of users who have none of their own. */
  readonly vouched: VouchedAddresses;
}

/** What a mail says, read at the time it is sent. */
export type MailContents = { readonly to: string } & (
  | {
      readonly thread: Thread & { readonly id: string };
      readonly comments: readonly ThreadComment[];
      /** Whether the thread has further comments, which do not fit into the mail. */
      readonly more: boolean;
    }
  | { readonly notice: Notice }
);

/**
 * Returns what a mail says to its user now. Returns undefined where nothing is left to say: the kind is turned off, the
 * thread is muted or out of the user's sight, its comments are hidden, or an earlier mail contained them, as a comment may
 * be recorded while that mail is on its way.
 */
export async function readContents(
  executor: Executor,
  mail: MailRow,
  parts: ContentParts,
): Promise<MailContents | undefined> {
  const { thread_id: threadId, first_comment_id: first, user_id: userId, kind } = mail;
  if (threadId === null) return readNotice(executor, mail, parts);
  if (first === null || userId === null) return undefined;
  const thread = await findThread(executor, { userId, kind, threadId }, parts.hubUrl);
  const to = thread && (await findAddress(executor, parts.vouched, { userId, kind, ownerId: thread.ownerId }));
  if (!thread || to === undefined) return undefined;
  const mailed = await mailedComments(executor, mail, first);
  const found = await listComments(executor, { userId, threadId, first, mailed }, MAX_COMMENTS + 1);
  if (found.length === 0) return undefined;
  const comments = fitting(found.slice(0, MAX_COMMENTS));
  return { to, thread: { ...thread, id: threadId }, comments, more: found.length > comments.length };
}

/** Returns the first comment, and those after it that fit into one mail. */
function fitting(comments: readonly ThreadComment[]): ThreadComment[] {
  let left = MAX_CHARACTERS;
  return comments.filter(({ text }, at) => {
    left -= text.raw.length;
    return at === 0 || left >= 0;
  });
}

/** Returns a notice for the address that it names, or else for its user's address. */
async function readNotice(executor: Executor, mail: MailRow, parts: ContentParts): Promise<MailContents | undefined> {
  const notice = await findNotice(executor, mail, parts);
  if (!notice) return undefined;
  const { user_id: userId, kind } = mail;
  const own = () => (userId === null ? undefined : findAddress(executor, parts.vouched, { userId, kind, ownerId: '' }));
  const to = notice.to ?? (await own());
  return to === undefined ? undefined : { to, notice };
}
