import type { CommentEvent } from '@moonbase/contract/discussions';
import type { EventPayload } from '@moonbase/contract/payload';
import type { z } from 'zod';
import { type Account, avatarUrl } from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';
import { fullName, MAIN, type Repository, repoUrls } from '../repositories/index.ts';
import { renderMarkdown } from './markdown.ts';
import type { CommentData, Discussion, DiscussionEvent } from './store.ts';

/** Stands for an account that is gone, where a payload must name one. */
const NOBODY = '0'.repeat(24);

/** Where a discussion is: its page, and its API (W§3.1). */
export function discussionUrls(baseUrl: string, repo: Repository, num: number) {
  const { web, api } = repoUrls(baseUrl, repo.type, fullName(repo));
  return { web: `${web}/discussions/${num}`, api: `${api}/discussions/${num}` };
}

export const payloadDiscussion = (
  baseUrl: string,
  repo: Repository,
  discussion: Discussion,
): NonNullable<EventPayload['discussion']> => ({
  id: discussion.id,
  num: discussion.num,
  title: discussion.title,
  url: discussionUrls(baseUrl, repo, discussion.num),
  status: discussion.status,
  author: { id: discussion.author_id ?? NOBODY },
  isPullRequest: discussion.is_pull_request === 1,
  ...(discussion.is_pull_request === 1 && {
    changes: {
      base: MAIN,
      ...(discussion.merge_commit_id !== null && { mergeCommitId: discussion.merge_commit_id }),
    },
  }),
  pinned: false,
});

/** The content of a hidden comment is left out (W§3.1). */
export const payloadComment = (
  baseUrl: string,
  repo: Repository,
  num: number,
  comment: DiscussionEvent<CommentData>,
): NonNullable<EventPayload['comment']> => ({
  id: comment.id,
  author: { id: comment.author_id ?? NOBODY },
  hidden: comment.data.hidden,
  ...(!comment.data.hidden && { content: comment.data.raw }),
  url: { web: `${discussionUrls(baseUrl, repo, num).web}#${comment.id}` },
});

/** An author is left out, never null, where the account is gone (W§1.5). */
function author(baseUrl: string, account: Account | undefined) {
  if (!account) return {};
  return {
    author: {
      _id: account.id,
      avatarUrl: avatarUrl(baseUrl, account),
      fullname: account.fullname,
      name: account.name,
      isHf: false as const,
      isHfAdmin: false as const,
      isMod: false as const,
      type: 'user' as const,
      isPro: account.pro === 1,
    },
  };
}

/** An event of a discussion with its author, as the endpoints answer it. */
export const presentEvent = <T extends string, Data>(
  baseUrl: string,
  event: { id: string; type: T; created_at: number; author_id: string | null; data: Data },
  accounts: ReadonlyMap<string, Account>,
) => ({
  id: event.id,
  createdAt: timestamp(event.created_at),
  ...author(baseUrl, accounts.get(event.author_id ?? '')),
  type: event.type,
  data: event.data,
});

export function presentComment(
  baseUrl: string,
  comment: DiscussionEvent<CommentData>,
  accounts: ReadonlyMap<string, Account>,
): z.input<typeof CommentEvent> {
  const { raw, hidden, hiddenBy, edits, editors, updatedAt } = comment.data;
  const known = editors.flatMap((id) => accounts.get(id) ?? []);
  const shown = hidden ? 'This comment has been hidden' : raw;
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
          raw: shown,
          html: renderMarkdown(shown),
          updatedAt: timestamp(updatedAt),
          ...author(baseUrl, accounts.get(editors.at(-1) ?? comment.author_id ?? '')),
        },
        numEdits: edits,
        editors: known.map((account) => account.name),
        editorAvatarUrls: known.map((account) => avatarUrl(baseUrl, account)),
        reactions: [],
        isReport: false as const,
      },
    },
    accounts,
  );
}
