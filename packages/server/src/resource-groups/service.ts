import type * as contract from '@moonbase/contract/organizations/resource-groups';
import type { RouteInput } from '@moonbase/contract/route';
import {
  addGroupMembers,
  autoJoin,
  groupTopic,
  type InOrganization,
  isAtLeast,
  lockOrganization,
  requireGroup,
  requireGroupRole,
  requireOrganization,
  requirePlan,
} from '../access/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, forbidden } from '../platform/http/errors.ts';
import { changeGroup, type Dependencies, lockGroup, type Presented, presentOne, WRITE } from './changing.ts';
import { createGroupUsers } from './group-users.ts';
import { memberRows, resolveUsers } from './named-users.ts';
import { createPlacement, reposForGroup } from './placement.ts';
import { presentGroups } from './present.ts';
import { createRepoGroups } from './repo-groups.ts';
import {
  deleteGroup,
  type Group,
  groupCreators,
  insertGroup,
  isNameTaken,
  listGroups,
  repoIdsOf,
  updateGroup,
} from './store.ts';

export type ResourceGroups = ReturnType<typeof createResourceGroups>;

type Body<Name extends 'createResourceGroup' | 'updateResourceGroup' | 'configureResourceGroup'> = RouteInput<
  (typeof contract)[Name]
>['body'];

const READ = { role: 'member', permission: 'resourceGroup.read' } as const;

export function createResourceGroups(dependencies: Dependencies) {
  const { database, clock, ids, events, audit } = dependencies;
  const place = createPlacement(dependencies);

  /** Whoever is to join by themselves from now on; those who could have joined already do now. */
  async function enableAutoJoin(
    tx: Executor,
    { id: groupId, org_id: orgId }: Pick<Group, 'id' | 'org_id'>,
    { role: name, scope = 'all' }: { role: string; scope?: 'all' | 'read_plus' | undefined },
  ) {
    const role = await requireGroupRole(tx, orgId, name, 'autoJoin.role');
    const settings = { auto_join_role: role.name, auto_join_scope: scope };
    await updateGroup(tx, groupId, settings);
    const added = await autoJoin(tx, {
      groupId,
      orgId,
      role: role.name,
      base: role.base,
      scope,
      now: clock.now(),
    });
    return { role: role.name, scope, added };
  }

  return {
    ...createGroupUsers(dependencies),
    ...createRepoGroups(dependencies, place),

    /** E18. */
    async list(caller: Caller, name: string): Promise<Presented[]> {
      const { read } = database;
      const { organization, role } = await requireOrganization(read, caller.principal, name, READ);
      requirePlan(organization, 'enterprise');
      const groups = await listGroups(read, organization.id, role === 'admin' ? undefined : caller.principal.userId);
      return presentGroups(read, caller, groups);
    },

    async get(caller: Caller, name: string, groupId: string): Promise<Presented> {
      const { read } = database;
      const within = await requireOrganization(read, caller.principal, name, READ);
      const { id } = await requireGroup(read, caller.principal, within, groupId, 'see');
      requirePlan(within.organization, 'enterprise');
      return presentOne(read, caller, id);
    },

    /** E19. */
    create: (caller: Caller, name: string, body: Body<'createResourceGroup'>): Promise<Presented> =>
      database.transaction(async (tx) => {
        const within = await lockOrganization(tx, caller.principal, name, WRITE);
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
        await refuseTakenName(tx, group, group.name);
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

    update: (caller: Caller, organization: string, groupId: string, body: Body<'updateResourceGroup'>) =>
      changeGroup(dependencies, caller, organization, groupId, async (tx, group) => {
        const change = {
          ...(body.name !== undefined && body.name !== group.name && { name: body.name }),
          ...(body.description !== undefined &&
            body.description !== group.description && { description: body.description }),
        };
        if (Object.keys(change).length === 0) return;
        if (change.name !== undefined) await refuseTakenName(tx, group, change.name);
        await updateGroup(tx, group.id, change);
        await settled(tx, caller, group, change);
      }),

    configure: (caller: Caller, organization: string, groupId: string, body: Body<'configureResourceGroup'>) =>
      changeGroup(dependencies, caller, organization, groupId, async (tx, group) => {
        if (!body.autoJoin) return;
        if (!('role' in body.autoJoin)) {
          if (group.auto_join_role === null) return;
          await updateGroup(tx, group.id, { auto_join_role: null, auto_join_scope: 'all' });
          return settled(tx, caller, group, { autoJoin: { enabled: false } });
        }
        if (group.managed_by !== null)
          throw conflict('SCIM manages this resource group; nobody joins it by themselves');
        const joined = await enableAutoJoin(tx, group, body.autoJoin);
        await settled(tx, caller, group, { autoJoin: { enabled: true, ...joined } });
      }),

    delete: (caller: Caller, organization: string, groupId: string): Promise<void> =>
      database.transaction(async (tx) => {
        const { id, org_id: orgId, name } = await lockGroup(tx, caller, organization, groupId);
        const repoIds = await repoIdsOf(tx, id);
        await deleteGroup(tx, id);
        const message = `Deleted the resource group ${name}`;
        const data = { id, name, repos: repoIds.length };
        await audit.record(tx, caller, { orgId, type: 'resource_group.delete', message, data });
        const actorId = caller.principal.userId;
        await events.record(tx, groupTopic, { action: 'delete', groupId: id, orgId, repoIds, actorId });
      }),
  };

  async function settled(tx: Executor, caller: Caller, group: Group, change: object): Promise<void> {
    await audit.record(tx, caller, {
      orgId: group.org_id,
      type: 'resource_group.settings',
      message: `Changed the settings of the resource group ${group.name}`,
      data: { id: group.id, ...change },
    });
  }
}

async function refuseTakenName(tx: Executor, group: Pick<Group, 'id' | 'org_id'>, name: string): Promise<void> {
  if (await isNameTaken(tx, group, name)) throw conflict(`There is a resource group named ${name} already`);
}

/** 403 where the organization does not let this role create groups: its admins, unless its settings say less. */
async function requireCreator(tx: Executor, { organization, role }: InOrganization): Promise<void> {
  const least = await groupCreators(tx, organization.id);
  if (!isAtLeast(role, least))
    throw forbidden(`You need the role ${least} in the organization ${organization.name} to create resource groups`);
}
