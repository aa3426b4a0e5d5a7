import { missingRepo, repoNotFound, requireReach, roleOf } from '../access/index.ts';
import { findAccount, lockAccount } from '../accounts/index.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { fullName, lockRepo, type RepoName, readRepo, repoFacts } from '../repositories/index.ts';
import { type Dependencies, requireGroupById } from './change-group.ts';
import { presentGroupOf, requireMove } from './moves.ts';
import type { createPlacement } from './placement.ts';

/** The group of a single repository. */
export function createRepoGroups({ database }: Dependencies, place: ReturnType<typeof createPlacement>) {
  return {
    /** Moves a repository into a group, or out of its group. */
    setOfRepo: (caller: Caller, name: RepoName, groupId: string | null) =>
      database.transaction(async (tx) => {
        const { principal } = caller;
        const owner = await findAccount(tx, name.namespace);
        // The organization is locked first, as in all changes of its groups.
        if (owner) await lockAccount(tx, owner.id);
        const repo = await lockRepo(tx, name);
        if (!owner || !repo) throw await missingRepo(tx, principal, name.namespace);
        requireReach(principal, owner.id);
        const role = await roleOf(tx, principal, repoFacts(repo));
        if (!role) throw repoNotFound();
        await requireMove(tx, principal, owner, { facts: repoFacts(repo), role, kind: 'repository' }, groupId);
        await place(tx, caller, [repo], groupId === null ? undefined : await requireGroupById(tx, groupId));
        return {
          name: fullName(repo),
          type: repo.type,
          private: repo.private === 1,
          addedBy: principal.userName,
        };
      }),

    /** Returns the group of a repository, to callers who may see both. */
    async ofRepo(caller: Caller, name: RepoName) {
      const repo = await readRepo(database.read, caller, name);
      return presentGroupOf(database.read, caller.principal, repoFacts(repo), 'repository');
    },
  };
}
