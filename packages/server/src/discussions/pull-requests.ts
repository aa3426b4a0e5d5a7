import type { ParsedText, Texts } from '../comments/index.ts';
import type { LargeFiles, MakeMerge } from '../content/index.ts';
import { createAttempts } from '../platform/attempts.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict } from '../platform/http/errors.ts';
import type { KeyedMutex } from '../platform/mutex.ts';
import {
  changeRef,
  MAIN,
  PULL_REQUEST,
  type RefPorts,
  type RepoName,
  refSha,
  resolveRevision,
} from '../repositories/index.ts';
import { mergeFault, refFault } from './policy.ts';
import { updateDiscussion } from './store.ts';
import { requireWriter, stateOf, type Thread, type Threads, throwIfFault } from './thread.ts';

interface Dependencies {
  readonly threads: Threads;
  readonly refPorts: RefPorts;
  readonly texts: Texts;
  readonly makeMerge: MakeMerge;
  readonly runExclusive: KeyedMutex;
  readonly largeFiles: Pick<LargeFiles, 'adoptFrom' | 'forgetPlacesAt'>;
}

/** Limits how often a merge is rebuilt because one side moved in the meantime. */
const ATTEMPTS = { count: 5, ms: 20_000 };
/** Bounds the files with conflicts that an error message names. */
const MAX_NAMED = 10;

/** A merge commit that was made before the transaction that puts it on a branch. */
interface MergeCommit extends Heads {
  readonly commit: string;
}

/** The heads of a branch and of a pull request. */
interface Heads {
  readonly head: string;
  readonly other: string;
}

async function headsOf({ tx, repo, discussion }: Thread): Promise<Heads> {
  const head = await refSha(tx, repo.id, discussion.base_ref);
  if (head === undefined) throw conflict(`The target branch no longer exists: ${discussion.base_ref}`);
  return { head, other: await resolveRevision(tx, repo, PULL_REQUEST + discussion.num) };
}

/** Returns a 409 that names the files that both sides changed. */
const unmergeable = (files: readonly string[]) =>
  conflict(`Both sides changed ${namesOf(files)}: commit to the pull request what it is to become`, {
    filesWithConflicts: files,
  });

const namesOf = (files: readonly string[]): string =>
  files.length > MAX_NAMED ? `${files.slice(0, MAX_NAMED).join(', ')} and others` : files.join(', ');

/** The verbs that exist for pull requests only. */
export function createPullRequests({ threads, refPorts, texts, makeMerge, runExclusive, largeFiles }: Dependencies) {
  /** Moves the branch to a merge commit and sets the status. */
  async function complete(thread: Thread, { head, commit }: MergeCommit, text: ParsedText | undefined): Promise<void> {
    const { tx, caller, repo, discussion } = thread;
    if (text) await threads.addComment(thread, text);
    await largeFiles.adoptFrom(tx, repo, PULL_REQUEST + discussion.num);
    await changeRef(refPorts, tx, caller, repo, discussion.base_ref, commit, { oldSha: head });
    const merged = discussion.base_ref === MAIN ? { ...repo, head_sha: commit } : repo;
    await threads.setStatus({ ...thread, repo: merged }, 'merged', { merge_commit_id: commit });
  }

  return {
    /** Merges an open pull request: moves its branch to a merge commit, then sets the status. */
    async merge(caller: Caller, name: RepoName, num: number, comment: string | undefined): Promise<void> {
      const text = comment ? await texts.write(comment, caller.principal.userId) : undefined;
      /** Completes a merge if its commit merges the current heads; otherwise returns the heads to merge. */
      const completeOrPlan = (mergeCommit: MergeCommit | undefined) =>
        threads.change(caller, name, num, async (thread) => {
          requireWriter(thread, 'merge');
          const { repo, discussion } = thread;
          throwIfFault(mergeFault(stateOf(discussion)));
          const heads = await headsOf(thread);
          if (mergeCommit?.head !== heads.head || mergeCommit.other !== heads.other)
            return { repoId: repo.id, message: `${discussion.title} (#${num})`, ...heads };
          await complete(thread, mergeCommit, text);
          return undefined;
        });
      const attempt = async (merge: Awaited<ReturnType<typeof completeOrPlan>>) => {
        if (!merge) return undefined;
        const outcome = await makeMerge(caller, merge);
        if (outcome.conflicts) throw unmergeable(outcome.conflicts);
        return completeOrPlan({ ...merge, commit: outcome.commit });
      };
      let toMerge = await completeOrPlan(undefined);
      const attempts = createAttempts(ATTEMPTS);
      for (let isFirst = true; toMerge; isFirst = false) {
        if (!attempts.next()) throw conflict('Other commits keep arriving on the branch; try again');
        const { repoId } = toMerge;
        // After a lost race, the next attempt excludes the other writers of this process.
        toMerge = await (isFirst
          ? attempt(toMerge)
          : runExclusive(repoId, async () => attempt(await completeOrPlan(undefined))));
      }
    },

    /** Deletes `refs/pr/N` of a closed or merged pull request and records where the ref pointed. */
    deleteRef: (caller: Caller, name: RepoName, num: number) =>
      threads.change(caller, name, num, async (thread) => {
        requireWriter(thread, 'delete the ref of a pull request');
        const { tx, repo, discussion } = thread;
        throwIfFault(refFault(stateOf(discussion)));
        const ref = PULL_REQUEST + num;
        await updateDiscussion(tx, discussion.id, { head_sha: await resolveRevision(tx, repo, ref) });
        await changeRef(refPorts, tx, caller, repo, ref, null);
        await largeFiles.forgetPlacesAt(tx, repo.id, ref);
        await threads.addEvent(thread, 'ref-deleted', {});
      }),
  };
}
