import type { Texts } from '../comments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { Ids } from '../platform/ids.ts';
import { changeRef, MAIN, madeCommitId, PULL_REQUEST, type RepoName, resolveRevision } from '../repositories/index.ts';
import { mergeFault, refFault } from './policy.ts';
import { updateDiscussion } from './store.ts';
import { refuse, requireWriter, stateOf, type Threads } from './thread.ts';

interface Dependencies {
  readonly threads: Threads;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly texts: Texts;
}

/** The verbs that pull requests have beyond those of discussions. */
export function createPullRequests({ threads, clock, ids, events, texts }: Dependencies) {
  return {
    /** Merges an open pull request: a commit on `main`, then the status. */
    async merge(caller: Caller, name: RepoName, num: number, comment: string | undefined) {
      const text = comment ? await texts.write(comment, caller.principal.userId) : undefined;
      return threads.change(caller, name, num, async (thread) => {
        requireWriter(thread, 'merge');
        const { tx, repo, discussion } = thread;
        refuse(mergeFault(stateOf(discussion)));
        if (text) await threads.addComment(thread, text);
        const mergeCommitId = madeCommitId(ids());
        await changeRef({ events, clock }, tx, caller, repo, MAIN, mergeCommitId);
        await threads.setStatus({ ...thread, repo: { ...repo, head_sha: mergeCommitId } }, 'merged', {
          merge_commit_id: mergeCommitId,
        });
      });
    },

    /** Deletes `refs/pr/N` of a pull request that is closed or merged, and keeps where it was. */
    deleteRef: (caller: Caller, name: RepoName, num: number) =>
      threads.change(caller, name, num, async (thread) => {
        requireWriter(thread, 'delete the ref of a pull request');
        const { tx, repo, discussion } = thread;
        refuse(refFault(stateOf(discussion)));
        const ref = PULL_REQUEST + num;
        await updateDiscussion(tx, discussion.id, { head_sha: await resolveRevision(tx, repo, ref) });
        await changeRef({ events, clock }, tx, caller, repo, ref, null);
        await threads.addEvent(thread, 'ref-deleted', {});
      }),
  };
}
