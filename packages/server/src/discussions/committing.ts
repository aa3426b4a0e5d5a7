import { requireRepo } from '../access/index.ts';
import type { PullRequests } from '../content/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/errors.ts';
import { changeRef, PULL_REQUEST, type RefPorts, readRepo, refSha, repoFacts } from '../repositories/index.ts';
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

/** The operations on open pull requests that committing needs. */
export function createPullRequestCommits({
  database: { read },
  threads,
  refPorts,
}: Dependencies): Pick<PullRequests, 'requireCommit' | 'push'> {
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
        const { tx, repo, discussion } = thread;
        const ref = PULL_REQUEST + num;
        if ((await refSha(tx, repo.id, ref)) !== oldSha) return false;
        await changeRef(refPorts, tx, caller, repo, ref, newSha, { oldSha });
        await onRefMoved(tx, repo, ref);
        await threads.addEvent(thread, 'commit', { subject, oid: newSha });
        if (discussion.status === 'draft') await threads.setStatus(thread, 'open');
        return true;
      }),
  };
}
