import type { getDiscussion } from '@moonbase/contract/discussions/reading';
import type { RouteAnswer } from '@moonbase/contract/route';
import type { EventPayload } from '@moonbase/contract/webhooks/payload';
import type { Account } from '../accounts/index.ts';
import { authorIfKnown, type CommentData, peopleInComment, presentComment, presentEvent } from '../comments/index.ts';
import { timestamp } from '../platform/clock.ts';
import { fullName, type Repository, repoUrls } from '../repositories/index.ts';
import type { Discussion, DiscussionEvent } from './store.ts';
import { isComment } from './store.ts';

/** The id that stands for a deleted account where a payload must name one. */
const NOBODY = '0'.repeat(24);

/** Returns the URLs of a discussion's page and API (W§3.1). */
export function discussionUrls(baseUrl: string, repo: Repository, num: number) {
  const { web, api } = repoUrls(baseUrl, repo.type, fullName(repo));
  return { web: `${web}/discussions/${num}`, api: `${api}/discussions/${num}` };
}

const changesOf = ({ base_ref, merge_commit_id }: Discussion) => ({
  base: base_ref,
  ...(merge_commit_id !== null && { mergeCommitId: merge_commit_id }),
});

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
  ...(discussion.is_pull_request === 1 && { changes: changesOf(discussion) }),
  pinned: discussion.pinned === 1,
});

/** Presents a comment for payloads, without the content of a hidden one (W§3.1). */
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

/** Presents the fields that the list and the single discussion share. */
const presentCommon = (
  baseUrl: string,
  repo: Repository,
  discussion: Discussion,
  accounts: ReadonlyMap<string, Account>,
) => ({
  num: discussion.num,
  ...authorIfKnown(baseUrl, accounts.get(discussion.author_id ?? '')),
  repo: { name: fullName(repo), type: repo.type },
  title: discussion.title,
  createdAt: timestamp(discussion.created_at),
  status: discussion.status,
  pinned: discussion.pinned === 1,
});

/** Presents a discussion for the list of its repository (W§1.5). */
export const presentListed = (
  baseUrl: string,
  repo: Repository,
  discussion: Discussion,
  accounts: ReadonlyMap<string, Account>,
) => ({
  ...presentCommon(baseUrl, repo, discussion, accounts),
  isPullRequest: discussion.is_pull_request === 1,
  numComments: discussion.comment_count,
  numReactionUsers: 0 as const,
  topReactions: [],
});

type Details = RouteAnswer<typeof getDiscussion>;

/** Presents an event of a discussion; `html` is the text of a comment. */
export const presentEventOrComment = (
  baseUrl: string,
  event: DiscussionEvent,
  html: string,
  accounts: ReadonlyMap<string, Account>,
): Details['events'][number] =>
  // The contract has one shape for each type of event; the presenters build them from rows whose type is text.
  (isComment(event)
    ? presentComment(baseUrl, event, html, accounts)
    : presentEvent(baseUrl, event, accounts)) as Details['events'][number];

/** The facts about a pull request that come from its files. */
export interface PullRequestFiles {
  readonly conflicts: readonly string[];
  readonly diff: string | undefined;
}

/** Presents a discussion with all of its events (W§1.5). */
export function presentDetails(
  baseUrl: string,
  repo: Repository,
  discussion: Discussion,
  events: Details['events'],
  accounts: ReadonlyMap<string, Account>,
  { conflicts, diff }: PullRequestFiles,
): Details {
  const shown = {
    _id: discussion.id,
    ...presentCommon(baseUrl, repo, discussion, accounts),
    events,
    locked: false as const,
    collection: 'discussions' as const,
  };
  if (discussion.is_pull_request === 0) return { ...shown, isPullRequest: false, isReport: false };
  const deleted = discussion.head_sha !== null && { headCommitId: discussion.head_sha, refDeleted: true };
  return {
    ...shown,
    isPullRequest: true,
    filesWithConflicts: [...conflicts],
    changes: { ...changesOf(discussion), ...deleted },
    ...(diff !== undefined && { diff }),
  };
}

/** Returns the ids of the accounts that a discussion and some of its events name. */
export const peopleIn = (discussion: Discussion, events: readonly DiscussionEvent[]): string[] =>
  [discussion.author_id, ...events.flatMap(peopleInEvent)].filter((id) => typeof id === 'string');

const peopleInEvent = (event: DiscussionEvent): (string | null | undefined)[] =>
  isComment(event) ? peopleInComment(event) : [event.author_id];
