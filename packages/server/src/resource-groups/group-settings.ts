import type * as contract from '@moonbase/contract/organizations/resource-groups';
import type { RouteInput } from '@moonbase/contract/route';
import { autoJoin, isNameTaken, requireGroupRole, updateGroup } from '../access/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict } from '../platform/http/errors.ts';
import { changeGroup, type Dependencies } from './change-group.ts';
import type { Group } from './store.ts';

export type RequestBody<Name extends 'createResourceGroup' | 'updateResourceGroup' | 'configureResourceGroup'> =
  RouteInput<(typeof contract)[Name]>['body'];

/** Changes name, description and automatic joining of groups. */
export function createGroupSettings(dependencies: Dependencies) {
  const { clock, audit } = dependencies;

  /** Turns automatic joining on; existing members of the organization who qualify join at once. */
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

  async function settled(tx: Executor, caller: Caller, group: Group, change: object): Promise<void> {
    await audit.record(tx, caller, {
      orgId: group.org_id,
      type: 'resource_group.settings',
      message: `Changed the settings of the resource group ${group.name}`,
      data: { id: group.id, ...change },
    });
  }

  return {
    enableAutoJoin,

    update: (caller: Caller, organization: string, groupId: string, body: RequestBody<'updateResourceGroup'>) =>
      changeGroup(dependencies, caller, organization, groupId, async (tx, group) => {
        const change = {
          ...(body.name !== undefined && body.name !== group.name && { name: body.name }),
          ...(body.description !== undefined &&
            body.description !== group.description && { description: body.description }),
        };
        if (Object.keys(change).length === 0) return;
        if (change.name !== undefined) await requireFreeName(tx, group, change.name);
        await updateGroup(tx, group.id, change);
        await settled(tx, caller, group, change);
      }),

    configure: (caller: Caller, organization: string, groupId: string, body: RequestBody<'configureResourceGroup'>) =>
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
  };
}

export async function requireFreeName(tx: Executor, group: Pick<Group, 'id' | 'org_id'>, name: string): Promise<void> {
  if (await isNameTaken(tx, group, name)) throw conflict(`A resource group named ${name} already exists`);
}
