import {
  entitiesOf,
  findGroupWithRole,
  membershipRole,
  missingRepo,
  repoNotFound,
  requireGroup,
  requirePermission,
  requirePlan,
  requireReach,
  requireRegroup,
  roleOf,
} from '../access/index.ts';
import { findAccount, lockAccount } from '../accounts/index.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { fullName, lockRepo, type RepoName, readRepo, repoFacts } from '../repositories/index.ts';
import { type Dependencies, requireGroupById } from './change-group.ts';
import type { createPlacement } from './placement.ts';
import { countUsers } from './store.ts';

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
        const within = { organization: owner, role: await membershipRole(tx, owner.id, principal.userId) };
        if (groupId !== null) await requireGroup(tx, principal, within, groupId, 'admin');
        await requireRegroup(tx, principal, repoFacts(repo), role);
        requirePermission(principal, 'resourceGroup.write', entitiesOf(repoFacts(repo)));
        if (owner.kind === 'org') requirePlan(owner, 'enterprise');
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
      const { read } = database;
      const { principal } = caller;
      const repo = await readRepo(read, caller, name);
      const groupId = repo.resource_group_id ?? '';
      const role = await membershipRole(read, repo.owner_id, principal.userId);
      const standing = await findGroupWithRole(read, repo.owner_id, groupId, principal.userId);
      if (!standing || (role !== 'admin' && standing.role === undefined))
        throw notFound('This repository is in no resource group that you may see');
      requirePermission(principal, 'resourceGroup.read', entitiesOf(repoFacts(repo)));
      const owner = await findAccount(read, name.namespace);
      if (owner) requirePlan(owner, 'enterprise');
      const { id, name: groupName } = await requireGroupById(read, groupId);
      return { id, name: groupName, numUsers: await countUsers(read, id) };
    },
  };
}
