import type { ListedPaper, Paper as ShownPaper } from '@moonbase/contract/papers/papers';
import type { z } from 'zod';
import { type Account, avatarUrl } from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Paper, PaperAuthor } from './store.ts';

type Shown = z.input<typeof ShownPaper>;

interface PaperContext {
  readonly accounts: ReadonlyMap<string, Account>;
  /** When an unassigned author entry was last claimed: entry id to time. */
  readonly claimedAt: ReadonlyMap<string, number>;
}

/** Presents a paper. This hub has neither votes nor links to papers, so their counts are 0. */
export const presentPaper = (
  baseUrl: string,
  paper: Paper,
  authors: readonly PaperAuthor[],
  known: PaperContext,
): Shown => ({
  id: paper.arxiv_id,
  authors: authors.map((author) => presentAuthorEntry(baseUrl, author, known)),
  publishedAt: timestamp(paper.created_at),
  title: paper.title,
  summary: paper.summary,
  upvotes: 0,
  discussionId: paper.id,
  linkedModels: [],
  numTotalModels: 0,
  linkedDatasets: [],
  numTotalDatasets: 0,
  linkedSpaces: [],
  numTotalSpaces: 0,
});

/** Presents a paper in a list in the form of the public hub, which adds fields about the list entry. */
export function presentListed(
  baseUrl: string,
  paper: Paper,
  authors: readonly PaperAuthor[],
  known: PaperContext & { readonly comments: number },
): z.input<typeof ListedPaper> {
  const shown = presentPaper(baseUrl, paper, authors, known);
  const { id, publishedAt, title, summary, upvotes, discussionId } = shown;
  return {
    paper: { id, authors: shown.authors, publishedAt, title, summary, upvotes, discussionId },
    publishedAt,
    title,
    summary,
    numComments: known.comments,
  };
}

function presentAuthorEntry(baseUrl: string, author: PaperAuthor, { accounts, claimedAt }: PaperContext) {
  const entry = { _id: author.id, name: author.name, hidden: false as const };
  const account = accounts.get(author.user_id ?? '');
  const claimed = claimedAt.get(author.id);
  if (!account)
    return claimed === undefined
      ? entry
      : { ...entry, status: 'claim_requested' as const, statusLastChangedAt: timestamp(claimed) };
  return {
    ...entry,
    ...(author.status && { status: author.status }),
    ...(author.status_changed_at !== null && { statusLastChangedAt: timestamp(author.status_changed_at) }),
    user: {
      _id: account.id,
      avatarUrl: avatarUrl(baseUrl, account),
      fullname: account.fullname,
      isPro: account.pro === 1,
      name: account.name,
      type: 'user' as const,
      user: account.name,
    },
  };
}
