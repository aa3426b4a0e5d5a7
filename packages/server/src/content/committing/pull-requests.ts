import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { PULL_REQUEST, type RepoName, type Repository, refSha } from '../../repositories/index.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import { revisionNotFound } from '../reading/revisions.ts';
import { type Destination, placesOf } from './destination.ts';
import type { Upload } from './upload.ts';

/** Called within the transaction that moves the ref of a pull request. */
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
  /** The branch to merge into, as a full ref. */
  readonly base: string;
  /** What the ref of the pull request holds. */
  readonly head: string;
  /** Of the commit, where the pull request begins with one. */
  readonly subject: string | undefined;
  readonly onRefMoved: OnRefMoved;
}

/** What committing asks of pull requests. */
export interface PullRequests {
  /** 403 where nobody may open one in a repository. */
  readonly requireEnabled: (repo: Repository) => void;
  /** 403, 404 or 409 where the caller may not commit to a pull request. */
  readonly requireCommit: (caller: Caller, name: RepoName, num: number) => Promise<void>;
  /** Moves the ref of a pull request, unless it holds another commit than before; returns whether it did. */
  readonly push: (caller: Caller, name: RepoName, num: number, pushed: PushedCommit) => Promise<boolean>;
  /** Opens a pull request; returns where it is. */
  readonly open: (caller: Caller, name: RepoName, proposed: ProposedCommit) => Promise<{ readonly url: string }>;
}

const NUMBERED = new RegExp(`^${PULL_REQUEST}([1-9]\\d{0,8})$`);

/** Returns the number of the pull request that a revision names, or undefined. */
export function pullRequestNumber(revision: string): number | undefined {
  const [, num] = NUMBERED.exec(revision) ?? [];
  return num === undefined ? undefined : Number(num);
}

/** Whoever may write in discussions may propose changes; more is asked where it is known whose the pull request is. */
export const permissionFor = (to: { readonly revision: string; readonly opensPullRequest: boolean }) =>
  to.opensPullRequest || pullRequestNumber(to.revision) !== undefined ? 'discussion.write' : 'repo.write';

export const subjectOf = ({ summary }: Pick<Upload, 'summary'>): string => summary.split('\n', 1)[0]?.trim() ?? '';

interface Dependencies {
  readonly database: Database;
  readonly pullRequests: PullRequests;
  readonly largeFiles: Pick<LargeFiles, 'namePlaces'>;
}

/** Pull requests as what commits go to. */
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
          onRefMoved: placesOf(largeFiles, upload),
        }),
    };
  };
