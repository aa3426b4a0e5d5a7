import type { Clock } from '../platform/clock.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import type { Changing } from './changing.ts';
import { BRANCH, MAIN, refNameFault, TAG } from './policy.ts';
import { changeRef, madeCommitId, resolveRevision } from './refs.ts';
import { type RepoName, type Repository, refSha } from './store.ts';

interface Dependencies {
  readonly changing: Changing;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
}

/** The verbs on the branches and tags of a repository. */
export function createBranchesAndTags({ changing, clock, ids, events }: Dependencies) {
  return {
    async createBranch(
      caller: Caller,
      name: RepoName,
      branch: string,
      options: { startingPoint?: string | undefined; emptyBranch: boolean; overwrite: boolean },
    ) {
      requireRefName(branch);
      await changing(caller, name, async (tx, repo) => {
        requireRefs(repo);
        const oldSha = await refSha(tx, repo.id, BRANCH + branch);
        if (!options.overwrite && oldSha) throw conflict(`The branch ${branch} exists already`);
        const sha = options.emptyBranch
          ? madeCommitId(ids())
          : await resolveRevision(tx, repo, options.startingPoint ?? 'main');
        await changeRef({ events, clock }, tx, caller, repo, BRANCH + branch, sha, { oldSha });
      });
    },

    async createTag(caller: Caller, name: RepoName, revision: string, tag: string) {
      requireRefName(tag);
      await changing(caller, name, async (tx, repo) => {
        requireRefs(repo);
        if (await refSha(tx, repo.id, TAG + tag)) throw conflict(`The tag ${tag} exists already`);
        await changeRef({ events, clock }, tx, caller, repo, TAG + tag, await resolveRevision(tx, repo, revision));
      });
    },

    /** Deletes a branch or a tag, by its full ref. */
    deleteRef: (caller: Caller, name: RepoName, ref: string) =>
      changing(caller, name, async (tx, repo) => {
        if (ref === MAIN) throw badRequest('The branch main cannot be deleted');
        if (!(await refSha(tx, repo.id, ref))) throw notFound(`Invalid rev id: ${ref}`, 'RevisionNotFound');
        await changeRef({ events, clock }, tx, caller, repo, ref, null);
      }),
  };
}

function requireRefs(repo: Repository): void {
  if (repo.head_sha === null) throw badRequest('Buckets have no branches and no tags');
}

function requireRefName(name: string): void {
  const fault = refNameFault(name);
  if (fault) throw badRequest(`The name ${name} ${fault}`);
}
