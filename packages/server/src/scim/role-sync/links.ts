import type { NewScimLink, ScimLink } from '@moonbase/contract/scim/links';
import { requireGroupRole } from '../../access/index.ts';
import { timestamp } from '../../platform/clock.ts';
import { sqlFault } from '../../platform/database/sql-errors.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import { idFromCursor, type PageOf, pageFrom } from '../../platform/http/pagination.ts';
import { findGroup } from '../../resource-groups/index.ts';
import type { GroupDependencies } from '../groups/service.ts';
import { findScimGroup, memberIdsOf } from '../groups/store.ts';
import { requireScim } from '../requirements.ts';
import { deleteLink, insertLink, type ListedLink, listLinks, setLinkRole } from './link-store.ts';
import { MEMBERS_A_STEP } from './role-sync.ts';

export type Links = ReturnType<typeof createLinks>;

/** Manages links, which give the members of a group a role in resource groups or in the organization. */
export function createLinks({ database, clock, ids, audit, runChange, roleSync, managedUsers }: GroupDependencies) {
  async function existing(tx: Executor, orgId: string, id: string): Promise<ListedLink> {
    const [link] = await listLinks(tx, orgId, { id }, 1);
    if (!link) throw notFound('There is no such link');
    return link;
  }

  /** Synchronizes the roles of the members of a linked group. */
  async function follow(tx: Executor, caller: Caller, link: ListedLink): Promise<void> {
    const target = { orgId: link.org_id, resourceGroupId: link.resource_group_id };
    await roleSync.follow(tx, caller, [target], await memberIdsOf(tx, link.group_id, MEMBERS_A_STEP + 1));
  }

  const auditScim = (tx: Executor, caller: Caller, link: ListedLink, message: string) =>
    audit.record(tx, caller, {
      orgId: link.org_id,
      type: 'org.update_settings',
      message,
      data: { link: present(link) },
    });

  return {
    async list(
      caller: Caller,
      name: string,
      { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
    ): Promise<PageOf<ScimLink>> {
      const { id: orgId } = await requireScim(database.read, caller.principal, name);
      const rows = await listLinks(database.read, orgId, { before: idFromCursor(cursor) }, limit + 1);
      const { items, next } = pageFrom(rows, limit, (row) => row.id);
      return { items: items.map(present), next };
    },

    /**
     * Creates a link. The members of a small group get the role at once, of a large one in steps. Throws 409 for a
     * resource group that has members or automatic joining.
     */
    create: (caller: Caller, name: string, { groupId, resourceGroupId, role: roleName }: NewScimLink) =>
      runChange(caller, name, async (tx, { id: orgId }) => {
        const group = await findScimGroup(tx, orgId, groupId);
        if (!group) throw notFound('There is no SCIM group with this id');
        const resourceGroup = resourceGroupId === undefined ? undefined : await findGroup(tx, resourceGroupId);
        if (resourceGroupId !== undefined && resourceGroup?.org_id !== orgId)
          throw notFound('There is no resource group with this id');
        const { name: role } = await requireGroupRole(tx, orgId, roleName, 'role');
        if (resourceGroup) await managedUsers.takeOver(tx, caller, resourceGroup);
        const row = { id: ids(), org_id: orgId, group_id: groupId, resource_group_id: resourceGroup?.id ?? null, role };
        await insertLink(tx, { ...row, created_at: clock.now() }).catch((error: unknown) => {
          throw sqlFault(error) === 'unique' ? conflict('This link already exists; change its role') : error;
        });
        const link = await existing(tx, orgId, row.id);
        await auditScim(
          tx,
          caller,
          link,
          `Linked the SCIM group ${group.display_name} to ${targetOf(link)} as ${role}`,
        );
        await follow(tx, caller, link);
        return present(link);
      }),

    setRole: (caller: Caller, name: string, id: string, roleName: string) =>
      runChange(caller, name, async (tx, { id: orgId }) => {
        const before = await existing(tx, orgId, id);
        const { name: role } = await requireGroupRole(tx, orgId, roleName, 'role');
        const link = { ...before, role };
        if (role === before.role) return present(link);
        await setLinkRole(tx, id, role);
        await auditScim(tx, caller, link, `The SCIM group ${link.groupName} gives ${role} in ${targetOf(link)}`);
        await follow(tx, caller, link);
        return present(link);
      }),

    /** Deletes a link; the members of the group keep the roles that other links give them. */
    delete: (caller: Caller, name: string, id: string) =>
      runChange(caller, name, async (tx, { id: orgId }) => {
        const link = await existing(tx, orgId, id);
        await deleteLink(tx, id);
        await auditScim(
          tx,
          caller,
          link,
          `The SCIM group ${link.groupName} no longer gives a role in ${targetOf(link)}`,
        );
        await follow(tx, caller, link);
      }),
  };
}

const targetOf = ({ resourceGroupName: name }: ListedLink): string =>
  name === null ? 'the organization' : `the resource group ${name}`;

const present = (link: ListedLink): ScimLink => ({
  id: link.id,
  group: { id: link.group_id, displayName: link.groupName },
  ...(link.resource_group_id !== null && {
    resourceGroup: { id: link.resource_group_id, name: link.resourceGroupName ?? '' },
  }),
  role: link.role,
  createdAt: timestamp(link.created_at),
});
