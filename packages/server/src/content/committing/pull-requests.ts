import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { PULL_REQUEST, type RepoName, type Repository, refSha } from '../../repositories/index.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import { revisionNotFound } from '../reading/revisions.ts';
import { type Destination, recordPlacesOf } from './destination.ts';
import type { Upload } from './upload.ts';

/** Runs within the transaction that moves the ref of a pull request. */
type OnRefMoved = (tx: Executor, repo: Repository, ref: string) => Promise<void>;

interface PushedCommit {
  readonly oldSha: string;
  readonly newSha: string;
  readonly subject: string;
  readonly onRefMoved: OnRefMoved;
}

export interface ProposedCommit {
  readonly title: string;
  readonly description: string;
  /** The full ref of the branch to merge into. */
  readonly base: string;
  /** The commit that the ref of the pull request points to. */
  readonly head: string;
  /** The subject of the first commit; undefined if the pull request starts without a commit of its own. */
  readonly subject: string | undefined;
  readonly onRefMoved: OnRefMoved;
}

/** The operations on pull requests that committing needs. */
export interface PullRequests {
  /** Throws 403 if pull requests are disabled in the repository. */
  readonly requireEnabled: (repo: Repository) => void;
  /** Throws 403, 404 or 409 if the caller may not commit to the pull request. */
  readonly requireCommit: (caller: Caller, name: RepoName, num: number) => Promise<void>;
  /** Moves the ref of a pull request; returns false if the ref no longer points to the old commit. */
  readonly push: (caller: Caller, name: RepoName, num: number, pushed: PushedCommit) => Promise<boolean>;
  /** Opens a pull request; returns its URL. */
  readonly open: (caller: Caller, name: RepoName, proposed: ProposedCommit) => Promise<{ readonly url: string }>;
}

const NUMBERED = new RegExp(`^${PULL_REQUEST}([1-9]\\d{0,8})$`);

/** Returns the number of the pull request that a revision names, or undefined. */
export function pullRequestNumber(revision: string): number | undefined {
  const [, num] = NUMBERED.exec(revision) ?? [];
  return num === undefined ? undefined : Number(num);
}

/**
 * Returns the permission that a commit needs at first; a pull request checks its own rules once its author is known.
 */
export const permissionFor = (to: { readonly revision: string; readonly opensPullRequest: boolean }) =>
  to.opensPullRequest || pullRequestNumber(to.revision) !== undefined ? 'discussion.write' : 'repo.write';

export const subjectOf = ({ summary }: Pick<Upload, 'summary'>): string => summary.split('\n', 1)[0]?.trim() ?? '';

interface Dependencies {
  readonly database: Database;
  readonly pullRequests: PullRequests;
  readonly largeFiles: Pick<LargeFiles, 'recordPlaces'>;
}

/** Returns the function that makes a pull request the destination of a commit. */
export const createPullRequestDestinations =
  ({ database: { read }, pullRequests, largeFiles }: Dependencies) =>
  async (caller: Caller, name: RepoName, repo: Repository, num: number): Promise<Destination> => {
    const ref = PULL_REQUEST + num;
    await pullRequests.requireCommit(caller, name, num);
    return {
      async head() {
        const head = await refSha(read, repo.id, ref);
        if (head === undefined) throw revisionNotFound(ref);
        return head;
      },
      move: ({ oldSha, newSha, upload }) =>
        pullRequests.push(caller, name, num, {
          ...{ oldSha, newSha, subject: subjectOf(upload) },
          onRefMoved: recordPlacesOf(largeFiles, upload),
        }),
    };
  };
