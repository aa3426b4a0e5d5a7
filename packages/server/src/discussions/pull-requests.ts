import type { ParsedText, Texts } from '../comments/index.ts';
import type { MakeMerge } from '../content/index.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict } from '../platform/http/errors.ts';
import type { KeyedTurns } from '../platform/turns.ts';
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
import { refuse, requireWriter, stateOf, type Thread, type Threads } from './thread.ts';

interface Dependencies {
  readonly threads: Threads;
  readonly refPorts: RefPorts;
  readonly texts: Texts;
  readonly makeMerge: MakeMerge;
  readonly inTurn: KeyedTurns;
}

/** How often a merge is made anew because one side moved meanwhile. */
const MAX_TRIES = 5;
/** Files with conflicts that a sentence names. */
const MAX_NAMED = 10;

/** A commit that merges, made before the transaction that puts it on a branch. */
interface Made extends Heads {
  readonly commit: string;
}

/** What a branch and a pull request hold. */
interface Heads {
  readonly head: string;
  readonly other: string;
}

async function headsOf({ tx, repo, discussion }: Thread): Promise<Heads> {
  const head = await refSha(tx, repo.id, discussion.base_ref);
  if (head === undefined) throw conflict(`The branch that it is to be merged into is gone: ${discussion.base_ref}`);
  return { head, other: await resolveRevision(tx, repo, PULL_REQUEST + discussion.num) };
}

/** 409 that names the files that both sides changed. */
const unmergeable = (files: readonly string[]) =>
  conflict(`Both sides changed ${namesOf(files)}: commit to the pull request what it is to become`, {
    filesWithConflicts: files,
  });

const namesOf = (files: readonly string[]): string =>
  files.length > MAX_NAMED ? `${files.slice(0, MAX_NAMED).join(', ')} and others` : files.join(', ');

/** The verbs that pull requests have beyond those of discussions. */
export function createPullRequests({ threads, refPorts, texts, makeMerge, inTurn }: Dependencies) {
  /** Puts a merge on its branch. */
  async function put(thread: Thread, { head, commit }: Made, text: ParsedText | undefined): Promise<void> {
    const { tx, caller, repo, discussion } = thread;
    if (text) await threads.addComment(thread, text);
    await changeRef(refPorts, tx, caller, repo, discussion.base_ref, commit, { oldSha: head });
    const merged = discussion.base_ref === MAIN ? { ...repo, head_sha: commit } : repo;
    await threads.setStatus({ ...thread, repo: merged }, 'merged', { merge_commit_id: commit });
  }

  return {
    /** Merges an open pull request: a commit on its branch, then the status. */
    async merge(caller: Caller, name: RepoName, num: number, comment: string | undefined): Promise<void> {
      const text = comment ? await texts.write(comment, caller.principal.userId) : undefined;
      /** Puts a merge where it belongs; returns what is to be merged where it is for other commits, or is none. */
      const putOr = (made: Made | undefined) =>
        threads.change(caller, name, num, async (thread) => {
          requireWriter(thread, 'merge');
          const { repo, discussion } = thread;
          refuse(mergeFault(stateOf(discussion)));
          const heads = await headsOf(thread);
          if (made?.head !== heads.head || made.other !== heads.other)
            return { repoId: repo.id, message: `${discussion.title} (#${num})`, ...heads };
          await put(thread, made, text);
          return undefined;
        });
      const attempt = async (merge: Awaited<ReturnType<typeof putOr>>) => {
        if (!merge) return undefined;
        const outcome = await makeMerge(caller, merge);
        if (outcome.conflicts) throw unmergeable(outcome.conflicts);
        return putOr({ ...merge, commit: outcome.commit });
      };
      let toMerge = await putOr(undefined);
      for (let tries = 1; toMerge; tries++) {
        if (tries > MAX_TRIES) throw conflict('Others commit to the branch all the time; try again');
        const { repoId } = toMerge;
        // Whoever was late once keeps the other writers of this process waiting.
        toMerge = await (tries === 1 ? attempt(toMerge) : inTurn(repoId, async () => attempt(await putOr(undefined))));
      }
    },

    /** Deletes `refs/pr/N` of a pull request that is closed or merged, and keeps where it was. */
    deleteRef: (caller: Caller, name: RepoName, num: number) =>
      threads.change(caller, name, num, async (thread) => {
        requireWriter(thread, 'delete the ref of a pull request');
        const { tx, repo, discussion } = thread;
        refuse(refFault(stateOf(discussion)));
        const ref = PULL_REQUEST + num;
        await updateDiscussion(tx, discussion.id, { head_sha: await resolveRevision(tx, repo, ref) });
        await changeRef(refPorts, tx, caller, repo, ref, null);
        await threads.addEvent(thread, 'ref-deleted', {});
      }),
  };
}
