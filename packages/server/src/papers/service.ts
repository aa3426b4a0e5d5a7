import { plainArxivId } from '@moonbase/contract/papers/arxiv';
import { findAccountsById } from '../accounts/index.ts';
import { type Comments, countComments, type OwnedThread, type WrittenComment } from '../comments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller, Visitor } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { authorsWanted, type NamedAuthor, sameAuthor } from './authors.ts';
import { claimTimes } from './claim-store.ts';
import { type GivenPeriod, periodOf } from './period.ts';
import { presentListed, presentPaper } from './present.ts';
import {
  authorsOf,
  authorsOfAll,
  deleteAuthor,
  deletePaper,
  findPaper,
  insertAuthor,
  insertPaper,
  listPapers,
  lockAuthorsOf,
  lockPaper,
  type Paper,
  type PaperFilter,
  updateAuthor,
  updatePaper,
} from './store.ts';

export type Papers = ReturnType<typeof createPapers>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly comments: Comments;
}

export const paperNotFound = (paperId: string) => notFound(`There is no paper ${paperId} on this hub`);

/** A start beyond any number of papers that both engines still accept. */
const LAST_START = 2 ** 31;

const threadOf = ({ id }: Paper) => ({ type: 'paper', id }) as const;

export function createPapers({ database, clock, ids, comments }: Dependencies) {
  /** Runs a change of a paper's thread while the paper is locked. */
  const withLock = <T>(paperId: string, change: (tx: Executor, thread: OwnedThread) => Promise<T>) =>
    database.transaction(async (tx) => {
      const paper = await lockPaper(tx, paperId);
      if (!paper) throw paperNotFound(paperId);
      const authors = await authorsOf(tx, paper.id);
      return change(tx, { ...threadOf(paper), ownerIds: authors.flatMap(({ user_id }) => user_id ?? []) });
    });

  async function list({ baseUrl }: Visitor, filter: PaperFilter, page: { start: number; limit: number }) {
    const { read } = database;
    const papers = await listPapers(read, filter, page);
    const paperIds = papers.map(({ id }) => id);
    const authors = await authorsOfAll(read, paperIds);
    const [accounts, claimedAt, counts] = await Promise.all([
      findAccountsById(
        read,
        authors.flatMap(({ user_id }) => user_id ?? []),
      ),
      claimTimes(read, paperIds),
      countComments(read, paperIds),
    ]);
    return papers.map((paper) => {
      const ofPaper = authors.filter(({ paper_id }) => paper_id === paper.id);
      return presentListed(baseUrl, paper, ofPaper, { accounts, claimedAt, comments: counts.get(paper.id) ?? 0 });
    });
  }

  return {
    /** Returns the papers that contain each word in title or identifier, most recently added first. */
    search: (caller: Visitor, { q, limit }: { q: string; limit: number }) => {
      const words = q.toLowerCase().split(/\s+/).filter(Boolean).map(plainArxivId);
      return list(caller, { words, period: periodOf({}) }, { start: 0, limit });
    },

    /** Returns the papers added to this hub in a period, newest first. Papers here have no submitter. */
    daily: (
      caller: Visitor,
      { p, limit, submitter, ...given }: GivenPeriod & { p: number; limit: number; submitter?: string | undefined },
    ) =>
      submitter === undefined
        ? list(caller, { words: [], period: periodOf(given) }, { start: Math.min(p * limit, LAST_START), limit })
        : [],

    async get({ baseUrl }: Visitor, paperId: string, fields: readonly string[] = []) {
      const { read } = database;
      const paper = await findPaper(read, paperId);
      if (!paper) throw paperNotFound(paperId);
      const authors = await authorsOf(read, paper.id);
      const [accounts, claimedAt, said] = await Promise.all([
        findAccountsById(
          read,
          authors.flatMap(({ user_id }) => user_id ?? []),
        ),
        claimTimes(read, [paper.id]),
        fields.includes('comments') ? comments.list(read, baseUrl, paper.id) : undefined,
      ]);
      return { ...presentPaper(baseUrl, paper, authors, { accounts, claimedAt }), ...(said && { comments: said }) };
    },

    async comment(caller: Caller, paperId: string, given: WrittenComment) {
      const written = await comments.write(caller, given);
      return withLock(paperId, (tx, thread) => comments.add(tx, caller, thread, written));
    },

    hideComment: (caller: Caller, paperId: string, commentId: string) =>
      withLock(paperId, (tx, thread) => comments.hide(tx, caller, thread, commentId)),

    async insert(
      tx: Executor,
      caller: Caller,
      { arxivId, title = arxivId, summary = '' }: { arxivId: string; title?: string; summary?: string },
    ): Promise<Paper> {
      const paper: Paper = { id: ids(), arxiv_id: arxivId, title, summary, created_at: clock.now() };
      await insertPaper(tx, paper);
      await comments.recordThread(tx, caller, 'create', threadOf(paper));
      return paper;
    },

    async update(tx: Executor, caller: Caller, paper: Paper, change: Partial<Pick<Paper, 'title' | 'summary'>>) {
      await updatePaper(tx, paper.id, change);
      if (change.title !== undefined) await comments.recordThread(tx, caller, 'update', threadOf(paper));
    },

    async remove(tx: Executor, caller: Caller, paper: Paper): Promise<void> {
      await deletePaper(tx, paper.id);
      await comments.deleteComments(tx, caller, threadOf(paper));
    },

    /** Sets the author entries of a paper; returns whether anything changed. */
    async setAuthors(tx: Executor, paper: Paper, named: readonly NamedAuthor[]): Promise<boolean> {
      const existing = new Map((await lockAuthorsOf(tx, paper.id)).map((entry) => [entry.id, entry]));
      const wanted = authorsWanted([...existing.values()], named, { paperId: paper.id, now: clock.now(), ids });
      const kept = new Set(wanted.map(({ id }) => id));
      const gone = [...existing.keys()].filter((id) => !kept.has(id));
      const changed = wanted.filter((entry) => {
        const before = existing.get(entry.id);
        return !before || !sameAuthor(before, entry);
      });
      for (const id of gone) await deleteAuthor(tx, id);
      for (const entry of changed)
        await (existing.has(entry.id) ? updateAuthor(tx, entry.id, entry) : insertAuthor(tx, entry));
      return gone.length + changed.length > 0;
    },
  };
}
