import type { Author, CommentEvent } from '@moonbase/contract/discussions/comments';
import type { z } from 'zod';
import { type Account, avatarUrl } from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { CommentData } from './comment-data.ts';
import type { Texts } from './texts.ts';

/** The shown part of a comment in any kind of thread. */
interface ShownComment {
  readonly id: string;
  readonly created_at: number;
  readonly author_id: string | null;
  readonly reply_to?: string | null;
  readonly data: CommentData;
}

export const presentAuthor = (baseUrl: string, account: Account): z.input<typeof Author> => ({
  _id: account.id,
  avatarUrl: avatarUrl(baseUrl, account),
  fullname: account.fullname,
  name: account.name,
  isHf: false,
  isHfAdmin: false,
  isMod: false,
  type: 'user',
  isPro: account.pro === 1,
});

/** Omits the author, never null, if the account no longer exists (W§1.5). */
export const authorIfKnown = (baseUrl: string, account: Account | undefined) =>
  account ? { author: presentAuthor(baseUrl, account) } : {};

/** Presents an event of a thread with its author. */
export const presentEvent = <T extends string, Data>(
  baseUrl: string,
  event: { id: string; type: T; created_at: number; author_id: string | null; data: Data },
  accounts: ReadonlyMap<string, Account>,
) => ({
  id: event.id,
  createdAt: timestamp(event.created_at),
  ...authorIfKnown(baseUrl, accounts.get(event.author_id ?? '')),
  type: event.type,
  data: event.data,
});

const HIDDEN = 'This comment has been hidden';

/** Returns the HTML of a comment. */
export const htmlOf = async (texts: Texts, { data }: Pick<ShownComment, 'data'>): Promise<string> =>
  data.hidden ? `<p>${HIDDEN}</p>\n` : (await texts.parsed(data)).html;

export function presentComment(
  baseUrl: string,
  comment: ShownComment,
  html: string,
  accounts: ReadonlyMap<string, Account>,
): z.input<typeof CommentEvent> {
  const { raw, hidden, hiddenBy, edits, editors, updatedAt } = comment.data;
  const known = editors.flatMap((id) => accounts.get(id) ?? []);
  return presentEvent(
    baseUrl,
    {
      ...comment,
      type: 'comment' as const,
      data: {
        edited: edits > 0,
        hidden,
        ...(hiddenBy !== undefined && { hiddenBy: accounts.get(hiddenBy)?.name ?? '' }),
        latest: {
          raw: hidden ? HIDDEN : raw,
          html,
          updatedAt: timestamp(updatedAt),
          ...authorIfKnown(baseUrl, accounts.get(editors.at(-1) ?? comment.author_id ?? '')),
        },
        numEdits: edits,
        editors: known.map((account) => account.name),
        editorAvatarUrls: known.map((account) => avatarUrl(baseUrl, account)),
        reactions: [],
        isReport: false as const,
        ...(comment.reply_to && { parentCommentId: comment.reply_to }),
      },
    },
    accounts,
  );
}

/** Returns the ids of the accounts in a comment. */
export const peopleInComment = ({ author_id, data }: Pick<ShownComment, 'author_id' | 'data'>) => [
  author_id,
  data.hiddenBy,
  ...data.editors,
];
