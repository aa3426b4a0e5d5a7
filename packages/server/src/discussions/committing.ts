import { requireRepo } from '../access/index.ts';
import type { PullRequests } from '../content/index.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import {
  changeRef,
  PULL_REQUEST,
  type RefPorts,
  type RepoName,
  readRepo,
  refSha,
  repoFacts,
} from '../repositories/index.ts';
import { commitFault } from './policy.ts';
import { requireDiscussions } from './reading.ts';
import { findDiscussion } from './store.ts';
import { requireOpenerOrWriter, stateOf, type Thread, type Threads, throwIfFault } from './thread.ts';

interface Dependencies {
  readonly database: Database;
  readonly threads: Threads;
  readonly refPorts: RefPorts;
}

function requireCommits(thread: Pick<Thread, 'caller' | 'repo' | 'role' | 'discussion'>): void {
  requireOpenerOrWriter(thread, 'commit to a pull request of somebody else');
  throwIfFault(commitFault(stateOf(thread.discussion)));
}

/** A push to a pull request, as its history shows it. */
interface PushedHead {
  /** The subject of the commit. */
  readonly subject: string;
  readonly newSha: string;
}

interface Pushes {
  /**
   * Locks a pull request for a push; throws 403, 404 or 409 if the caller may not push to it. Returns the function that
   * adds the push to its history, to be called in the same transaction after its ref has moved.
   */
  readonly lockForPush: (
    tx: Executor,
    caller: Caller,
    name: RepoName,
    num: number,
  ) => Promise<(pushed: PushedHead) => Promise<void>>;
}

/** The operations on open pull requests that committing and pushing need. */
export function createPullRequestCommits({
  database: { read },
  threads,
  refPorts,
}: Dependencies): Pick<PullRequests, 'requireCommit' | 'push'> & Pushes {
  async function recordPush(thread: Thread, { subject, newSha }: PushedHead): Promise<void> {
    await threads.addEvent(thread, 'commit', { subject, oid: newSha });
    if (thread.discussion.status === 'draft') await threads.setStatus(thread, 'open');
  }

  return {
    async requireCommit(caller, name, num) {
      const repo = await readRepo(read, caller, name, 'discussion.write');
      requireDiscussions(repo);
      const discussion = await findDiscussion(read, repo.id, num);
      if (discussion?.is_pull_request !== 1)
        throw notFound(`Invalid rev id: ${PULL_REQUEST}${num}`, 'RevisionNotFound');
      const role = await requireRepo(read, caller.principal, repoFacts(repo), 'discussion.write');
      requireCommits({ caller, repo, role, discussion });
    },

    push: (caller, name, num, { oldSha, newSha, subject, onRefMoved }) =>
      threads.change(caller, name, num, async (thread) => {
        requireCommits(thread);
        const { tx, repo } = thread;
        const ref = PULL_REQUEST + num;
        if ((await refSha(tx, repo.id, ref)) !== oldSha) return false;
        await changeRef(refPorts, tx, caller, repo, ref, newSha, { oldSha });
        await onRefMoved(tx, repo, ref);
        await recordPush(thread, { subject, newSha });
        return true;
      }),

    async lockForPush(tx, caller, name, num) {
      const thread = await threads.lock(tx, caller, name, num);
      requireCommits(thread);
      return (pushed) => recordPush(thread, pushed);
    },
  };
}
