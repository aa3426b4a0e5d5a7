import { findAccountsById } from '../accounts/index.ts';
import { htmlOf, MAX_SHOWN_BYTES, type Texts } from '../comments/index.ts';
import type { DiffOfProposal, FindConflicts, StorageOfRef } from '../content/index.ts';
import { mapCooperatively } from '../platform/cooperative.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { ReadingCaller } from '../platform/http/authenticate.ts';
import { badRequest, forbidden, notFound } from '../platform/http/errors.ts';
import { isGatedFor, PULL_REQUEST, type RepoName, type Repository, readRepo, refSha } from '../repositories/index.ts';
import { type PullRequestFiles, peopleIn, presentDetails, presentEventOrComment, presentListed } from './present.ts';
import {
  countDiscussions,
  countEvents,
  type Discussion,
  type DiscussionFilter,
  eventsOf,
  findDiscussion,
  isComment,
  listDiscussions,
} from './store.ts';

const PAGE_SIZE = 50;

/** Throws 403 if the owner has disabled discussions. */
export function requireDiscussions(repo: Repository): void {
  if (repo.discussions_disabled === 1) throw forbidden('Discussions are disabled for this repository');
}

export const discussionNotFound = (num: number) => notFound(`There is no discussion ${num} in this repository`);

interface Dependencies {
  readonly database: Database;
  readonly texts: Texts;
  readonly contents: {
    readonly findConflicts: FindConflicts;
    readonly diffOfProposal: DiffOfProposal;
    readonly storageOfRef: StorageOfRef;
  };
}

/** The verbs that only read. */
export function createDiscussionReading({ database: { read }, texts, contents }: Dependencies) {
  async function repoOf(caller: ReadingCaller, name: RepoName) {
    const repo = await readRepo(read, caller, name);
    requireDiscussions(repo);
    return repo;
  }

  async function findOne(caller: ReadingCaller, name: RepoName, num: number) {
    const repo = await repoOf(caller, name);
    const discussion = await findDiscussion(read, repo.id, num);
    if (!discussion) throw discussionNotFound(num);
    return { repo, discussion };
  }

  /** Returns the conflicts of an unmerged pull request and, on request, its diff. */
  async function filesOf(repo: Repository, discussion: Discussion, withDiff: boolean): Promise<PullRequestFiles> {
    const nothing = { conflicts: [], diff: undefined };
    if (discussion.is_pull_request === 0) return nothing;
    const head = await refSha(read, repo.id, discussion.base_ref);
    const ref = await refSha(read, repo.id, PULL_REQUEST + discussion.num);
    const other = ref ?? discussion.head_sha;
    if (other === null) return nothing;
    const isMergeable = discussion.status !== 'merged' && head !== undefined && ref !== undefined;
    const merge = discussion.merge_commit_id;
    return {
      conflicts: isMergeable ? await contents.findConflicts({ repoId: repo.id, head, other }) : [],
      diff: withDiff ? await contents.diffOfProposal({ repoId: repo.id, head, other, merge }) : undefined,
    };
  }

  return {
    async list(caller: ReadingCaller, name: RepoName, { p, ...filter }: DiscussionFilter & { readonly p: number }) {
      const repo = await repoOf(caller, name);
      const start = p * PAGE_SIZE;
      const count = await countDiscussions(read, repo.id, filter);
      const page = start < count ? await listDiscussions(read, repo.id, filter, start, PAGE_SIZE) : [];
      const authors = await findAccountsById(
        read,
        page.flatMap(({ author_id }) => author_id ?? []),
      );
      return {
        discussions: page.map((discussion) => presentListed(caller.baseUrl, repo, discussion, authors)),
        count,
        start,
      };
    },

    async get(caller: ReadingCaller, name: RepoName, num: number, { withDiff }: { readonly withDiff: boolean }) {
      const { repo, discussion } = await findOne(caller, name, num);
      const events = await eventsOf(read, discussion);
      const accounts = await findAccountsById(read, peopleIn(discussion, events));
      const shown = await mapCooperatively(events, async (event) => {
        const html = isComment(event) ? await htmlOf(texts, event) : '';
        return presentEventOrComment(caller.baseUrl, event, html, accounts);
      });
      const files = await filesOf(repo, discussion, withDiff && !(await isGatedFor(read, caller.principal, repo)));
      const details = presentDetails(caller.baseUrl, repo, discussion, shown, accounts, files);
      if (discussion.event_bytes <= MAX_SHOWN_BYTES) return details;
      return { ...details, omittedEvents: (await countEvents(read, discussion.id)) - events.length };
    },

    async storage(caller: ReadingCaller, name: RepoName, num: number) {
      const { repo, discussion } = await findOne(caller, name, num);
      if (discussion.is_pull_request === 0) throw badRequest('Only pull requests have a ref');
      const estimatedStorage = await contents.storageOfRef(repo.id, PULL_REQUEST + num);
      return { estimatedStorage, refDeleted: discussion.head_sha !== null };
    },
  };
}
