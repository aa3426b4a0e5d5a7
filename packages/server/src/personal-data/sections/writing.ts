import type { CommentData } from '../../comments/index.ts';
import { timestamp } from '../../platform/clock.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { shownRepo } from '../names/shown-repo.ts';
import { type ListPages, paged, type Section, stored } from '../section.ts';
import { authorshipsOf, commentsOf, discussionEventsOf, discussionsOf, postsOf } from './writing-store.ts';

/** Comments have up to 64 KiB, and their HTML is stored beside them. */
const PAGE_OF_TEXTS = 20;

/** Presents the text of a comment; null where somebody else has edited it and the user may not read it now. */
function ownText(data: string, userId: string, isReadable: boolean) {
  const { raw, hidden, edits, editors, updatedAt } = parseJson<CommentData>(data);
  const isOwn = editors.every((editor) => editor === userId);
  return { raw: isOwn || isReadable ? raw : null, updatedAt: timestamp(updatedAt), hidden, numEdits: edits };
}

type Step = Awaited<ReturnType<ReturnType<typeof discussionEventsOf>>>[number];

/** Presents the place of an event; only its id where the user may not read it now. */
function placeOf(row: Step) {
  const repo = shownRepo(row);
  const discussion = { id: row.discussion_id, ...(repo && { num: row.num, title: row.title }) };
  return { repo, discussion };
}

/** Returns what a change of a discussion says, without the title that somebody else may have given it before. */
function changeOf({ data }: Step): object {
  const { from: _, ...change } = parseJson<Readonly<Record<string, unknown>>>(data);
  return change;
}

function threadOf({ thread_type: type, thread_id: id, arxiv_id, poster, slug }: Comment) {
  const name = arxiv_id ?? (poster === null || slug === null ? null : `${poster}/${slug}`);
  return { type, id, name };
}

type Comment = Awaited<ReturnType<typeof commentsOf>>[number];

/** The list of another slice. */
export interface WritingSources {
  readonly paperClaims: ListPages;
}

/** What the user wrote: discussions, comments, posts and articles, and claims of papers. */
export const writingSections = ({ paperClaims }: WritingSources): Section[] => [
  stored('discussions', {
    rows: discussionsOf,
    present: (row) => ({
      ...{ id: row.id, repo: shownRepo(row), num: row.num },
      title: row.repoName === null && row.renamedByOthers === 1 ? null : row.title,
      ...{ isPullRequest: row.is_pull_request === 1, status: row.status },
      createdAt: timestamp(row.created_at),
    }),
  }),
  stored('discussionComments', {
    rows: discussionEventsOf('comments'),
    limit: PAGE_OF_TEXTS,
    present: (row, { userId }) => ({
      ...{ id: row.id, ...placeOf(row) },
      createdAt: timestamp(row.created_at),
      ...ownText(row.data, userId, row.repoName !== null),
    }),
  }),
  stored('discussionChanges', {
    rows: discussionEventsOf('changes'),
    present: (row) => ({
      ...{ id: row.id, type: row.type, ...placeOf(row) },
      createdAt: timestamp(row.created_at),
      data: changeOf(row),
    }),
  }),
  stored('comments', {
    rows: commentsOf,
    limit: PAGE_OF_TEXTS,
    present: (row, { userId }) => ({
      ...{ id: row.id, thread: threadOf(row) },
      ...(row.reply_to !== null && { parentCommentId: row.reply_to }),
      createdAt: timestamp(row.created_at),
      ...ownText(row.data, userId, true),
    }),
  }),
  stored('posts', {
    rows: postsOf,
    present: (row) => ({
      ...{ id: row.id, type: row.kind, slug: row.slug, title: row.title },
      publishedAt: timestamp(row.created_at),
    }),
  }),
  stored('paperAuthorships', {
    rows: authorshipsOf,
    present: ({ id, arxiv_id, name, status }) => ({ id, paperId: arxiv_id, name, status }),
  }),
  paged('paperClaims', paperClaims),
];
