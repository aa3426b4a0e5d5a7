import type { ParsedText } from '../../comments/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { repoUrls } from '../../repositories/index.ts';
import type { OptionalKind } from '../policy.ts';
import { findDiscussion, findPaper, findPost, type ThreadReader } from './thread-store.ts';

/** A discussion, paper, post or article, as mails about its comments show it. */
export interface Thread {
  readonly title: string;
  /** What stands before the title in a subject: `acme/bert`. */
  readonly place: string;
  /** What stands after the title in a subject: `#7`, an arXiv identifier. */
  readonly number: string | undefined;
  readonly url: string;
  /** The owner of the repository that the thread belongs to; empty for a thread outside of repositories. */
  readonly ownerId: string;
}

export interface ThreadComment {
  readonly id: string;
  /** Undefined where the author's account was deleted. */
  readonly author: string | undefined;
  readonly text: ParsedText;
}

/** The mails of this kind are for people who only watch: muting the repository ends them, too. */
const FOR_WATCHERS: string = 'discussions_watched' satisfies OptionalKind;

/** Returns a thread that its reader may read and has not muted; undefined otherwise, and where the thread was deleted. */
export const findThread = async (
  executor: Executor,
  { kind, ...reader }: ThreadReader & { readonly kind: string },
  hubUrl: string,
): Promise<Thread | undefined> =>
  discussionThread(await findDiscussion(executor, reader, kind === FOR_WATCHERS), hubUrl) ??
  paperThread(await findPaper(executor, reader), hubUrl) ??
  postThread(await findPost(executor, reader), hubUrl);

type Found<Find extends (...args: never[]) => unknown> = Awaited<ReturnType<Find>>;

function discussionThread(row: Found<typeof findDiscussion>, hubUrl: string): Thread | undefined {
  if (!row) return undefined;
  const place = `${row.owner}/${row.name}`;
  const url = `${repoUrls(hubUrl, row.type, place).web}/discussions/${row.num}`;
  return { title: row.title, place, number: `#${row.num}`, url, ownerId: row.ownerId };
}

function paperThread(row: Found<typeof findPaper>, hubUrl: string): Thread | undefined {
  if (!row) return undefined;
  const { title, arxivId } = row;
  return { title, place: 'papers', number: arxivId, url: paperUrl(hubUrl, arxivId), ownerId: '' };
}

export const paperUrl = (hubUrl: string, arxivId: string): string => `${hubUrl}/papers/${arxivId}`;

function postThread(row: Found<typeof findPost>, hubUrl: string): Thread | undefined {
  if (!row) return undefined;
  const path = row.kind === 'article' && row.canonical === 1 ? row.slug : `${row.author}/${row.slug}`;
  const url = `${hubUrl}/${row.kind === 'article' ? 'blog' : 'posts'}/${path}`;
  return { title: row.title, place: row.author, number: undefined, url, ownerId: '' };
}
