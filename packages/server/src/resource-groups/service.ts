import {
  addGroupMembers,
  deleteGroup,
  groupTopic,
  type InOrganization,
  insertGroup,
  isAtLeast,
  lockOrganization,
  requireGroup,
  requireGroupRole,
  requireOrganization,
  requirePlan,
} from '../access/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, forbidden } from '../platform/http/errors.ts';
import { type Dependencies, lockGroup, type PresentedGroup, presentOne, WRITE_REQUIREMENT } from './change-group.ts';
import { createCollectionGroups } from './collection-groups.ts';
import { createGroupSettings, type RequestBody, requireFreeName } from './group-settings.ts';
import { createGroupUsers } from './group-users.ts';
import { memberRows, resolveUsers } from './named-users.ts';
import { createPlacement, reposForGroup } from './placement.ts';
import { presentGroups } from './present.ts';
import { createRepoGroups } from './repo-groups.ts';
import { countCollectionsIn, type Group, groupCreators, listGroups, repoIdsOf } from './store.ts';

export type ResourceGroups = ReturnType<typeof createResourceGroups>;

const READ = { role: 'member', permission: 'resourceGroup.read' } as const;

export function createResourceGroups(dependencies: Dependencies) {
  const { database, clock, ids, events, audit } = dependencies;
  const place = createPlacement(dependencies);
  const { enableAutoJoin, ...settings } = createGroupSettings(dependencies);

  return {
    ...createGroupUsers(dependencies),
    ...createRepoGroups(dependencies, place),
    ...createCollectionGroups(dependencies),
    ...settings,

    /** Lists groups (E18). */
    async list(caller: Caller, name: string): Promise<PresentedGroup[]> {
      const { read } = database;
      const { organization, role } = await requireOrganization(read, caller.principal, name, READ);
      requirePlan(organization, 'enterprise');
      const groups = await listGroups(read, organization.id, role === 'admin' ? undefined : caller.principal.userId);
      return presentGroups(read, caller, groups);
    },

    async get(caller: Caller, name: string, groupId: string): Promise<PresentedGroup> {
      const { read } = database;
      const within = await requireOrganization(read, caller.principal, name, READ);
      const { id } = await requireGroup(read, caller.principal, within, groupId, 'see');
      requirePlan(within.organization, 'enterprise');
      return presentOne(read, caller, id);
    },

    /** Creates a group (E19). */
    create: (caller: Caller, name: string, body: RequestBody<'createResourceGroup'>): Promise<PresentedGroup> =>
      database.transaction(async (tx) => {
        const within = await lockOrganization(tx, caller.principal, name, WRITE_REQUIREMENT);
        const { organization } = within;
        await requireCreator(tx, within);
        requirePlan(organization, 'enterprise');
        const group: Group = {
          id: ids(),
          org_id: organization.id,
          name: body.name,
          description: body.description ?? null,
          auto_join_role: null,
          auto_join_scope: 'all',
          managed_by: null,
          created_at: clock.now(),
        };
        const users = await resolveUsers(tx, { id: group.id, orgId: organization.id }, body.users);
        if (within.role !== 'admin' && !users.some((user) => user.base_role === 'admin'))
          throw badRequest('body.users: must name at least one user with the role admin');
        const repos = await reposForGroup(tx, caller, within, body.repos);
        if (body.autoJoin?.enabled) await requireGroupRole(tx, organization.id, body.autoJoin.role, 'autoJoin.role');
        await requireFreeName(tx, group, group.name);
        await insertGroup(tx, group);
        const common = { group_id: group.id, added_by: caller.principal.userId, created_at: clock.now() };
        await addGroupMembers(tx, memberRows(users, common));
        const joined = body.autoJoin?.enabled ? await enableAutoJoin(tx, group, body.autoJoin) : undefined;
        await audit.record(tx, caller, {
          orgId: organization.id,
          type: 'resource_group.create',
          message: `Created the resource group ${group.name}`,
          data: {
            id: group.id,
            name: group.name,
            users: users.map((user) => ({ user: user.name, role: user.role })),
            repos: body.repos,
            ...(joined && { autoJoin: joined }),
          },
        });
        await place(tx, caller, repos, group);
        return presentOne(tx, caller, group.id);
      }),

    delete: (caller: Caller, organization: string, groupId: string): Promise<void> =>
      database.transaction(async (tx) => {
        const { id, org_id: orgId, name } = await lockGroup(tx, caller, organization, groupId);
        const repoIds = await repoIdsOf(tx, id);
        const collections = await countCollectionsIn(tx, id);
        await deleteGroup(tx, id);
        const message = `Deleted the resource group ${name}`;
        const data = { id, name, repos: repoIds.length, collections };
        await audit.record(tx, caller, { orgId, type: 'resource_group.delete', message, data });
        const actorId = caller.principal.userId;
        await events.record(tx, groupTopic, { action: 'delete', groupId: id, orgId, repoIds, actorId });
      }),
  };
}

/** Throws 403 if the role may not create groups: admins may, and others according to the organization's settings. */
async function requireCreator(tx: Executor, { organization, role }: InOrganization): Promise<void> {
  const least = await groupCreators(tx, organization.id);
  if (!isAtLeast(role, least))
    throw forbidden(`You need the role ${least} in the organization ${organization.name} to create resource groups`);
}
