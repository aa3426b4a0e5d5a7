import type { ListResponse, ScimGroup } from '@moonbase/contract/scim/shapes';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Tasks } from '../../platform/queue/tasks.ts';
import type { ManagedUsers } from '../../resource-groups/index.ts';
import { createAuditScim } from '../audit-scim.ts';
import type { RunScimChange } from '../change.ts';
import type { ScimContext } from '../context.ts';
import { scimError } from '../protocol/errors.ts';
import { fold } from '../protocol/filter/filter.ts';
import { parseFilter } from '../protocol/filter/parse.ts';
import { type GroupChanges, groupChanges } from '../protocol/patch/group-changes.ts';
import { readGroup } from '../protocol/resources/group-input.ts';
import { listResponse } from '../protocol/resources/output.ts';
import { readPage } from '../protocol/resources/paging.ts';
import type { Projection } from '../protocol/resources/projection.ts';
import { ifMatch } from '../protocol/resources/versions.ts';
import { requireScim } from '../requirements.ts';
import { linksOfGroup } from '../role-sync/link-store.ts';
import type { RoleSync } from '../role-sync/role-sync.ts';
import type { ScimGroupRow } from '../tables.ts';
import type { Tagged } from '../tagged.ts';
import { changeMembers } from './change-members.ts';
import { createGroupDeletion } from './deletion.ts';
import { presentGroups, presentOneGroup, versionOfRow, type WholeGroup } from './present.ts';
import { countGroups, findScimGroup, insertGroup, listGroups, updateGroup } from './store.ts';

type ListQuery = Projection & {
  readonly startIndex?: string | number | undefined;
  readonly count?: string | number | undefined;
  readonly filter?: string | undefined;
};

/** The dependencies of groups and links. */
export interface GroupDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditLog;
  readonly runChange: RunScimChange;
  readonly tasks: Tasks;
  readonly roleSync: RoleSync;
  readonly managedUsers: ManagedUsers;
}

export type Groups = ReturnType<typeof createGroups>;

export function createGroups(dependencies: GroupDependencies) {
  const { database, clock, ids, runChange, roleSync } = dependencies;
  const deleteWithLinks = createGroupDeletion(dependencies);
  const auditScim = createAuditScim(dependencies);

  async function applyChanges(tx: Executor, caller: Caller, group: ScimGroupRow, changes: GroupChanges): Promise<void> {
    const { displayName = group.display_name, externalId = group.external_id } = changes;
    const { came, went } = await changeMembers(tx, group, changes.members);
    const renamed = displayName !== group.display_name;
    if (!renamed && externalId === group.external_id && came.length + went.length === 0) return;
    const columns = { display_name: displayName, display_key: fold(displayName), external_id: externalId };
    await updateGroup(tx, group.id, { ...columns, updated_at: clock.now() });
    await auditScim(tx, caller, group.org_id, `Changed the SCIM group ${displayName}`, {
      scimGroup: { id: group.id, name: displayName },
      ...(renamed && { before: group.display_name }),
      added: came.length,
      removed: went.length,
    });
    const concerned = [...came, ...went];
    if (concerned.length > 0)
      await roleSync.follow(tx, caller, await linksOfGroup(tx, group.org_id, group.id), concerned);
  }

  const change = (
    caller: Caller,
    at: ScimContext,
    id: string,
    { header, query }: { readonly header: string | undefined; readonly query: Projection },
    read: () => GroupChanges,
  ): Promise<Tagged<WholeGroup>> =>
    runChange(caller, at.name, async (tx, org) => {
      const group = await existing(tx, org.id, id);
      ifMatch(header, versionOfRow(group));
      await applyChanges(tx, caller, group, read());
      return presentOneGroup(tx, caller, at, await existing(tx, org.id, id), query);
    });

  return {
    async list(caller: Caller, at: ScimContext, query: ListQuery): Promise<ListResponse<ScimGroup>> {
      const { read } = database;
      const { id: orgId } = await requireScim(read, caller.principal, at.name);
      const { startIndex, count } = readPage(query);
      const filter = query.filter?.trim() ? parseFilter('Group', query.filter) : undefined;
      const rows = count === 0 ? [] : await listGroups(read, orgId, { filter, skip: startIndex - 1, limit: count });
      const isAll = startIndex === 1 && rows.length < count;
      const totalResults = isAll ? rows.length : await countGroups(read, orgId, filter);
      return listResponse(await presentGroups(read, caller, at, rows, query), { totalResults, startIndex });
    },

    async get(caller: Caller, at: ScimContext, id: string, query: Projection): Promise<Tagged<WholeGroup>> {
      const { id: orgId } = await requireScim(database.read, caller.principal, at.name);
      return presentOneGroup(database.read, caller, at, await existing(database.read, orgId, id), query);
    },

    create: (caller: Caller, at: ScimContext, body: unknown): Promise<Tagged<WholeGroup>> =>
      runChange(caller, at.name, async (tx, org) => {
        const { displayName, externalId, members } = readGroup(body);
        const now = clock.now();
        const row: ScimGroupRow = {
          id: ids(),
          org_id: org.id,
          display_name: displayName,
          display_key: fold(displayName),
          external_id: externalId,
          version: 1,
          created_at: now,
          updated_at: now,
          deleted_at: null,
        };
        await insertGroup(tx, row);
        await changeMembers(tx, row, [{ op: 'add', ids: members }]);
        const data = { scimGroup: { id: row.id, name: displayName }, added: members.length };
        await auditScim(tx, caller, org.id, `Created the SCIM group ${displayName}`, data);
        return presentOneGroup(tx, caller, at, row, {});
      }),

    replace: (
      caller: Caller,
      at: ScimContext,
      id: string,
      body: unknown,
      given: { header: string | undefined; query: Projection },
    ) =>
      change(caller, at, id, given, () => {
        const { members, ...attributes } = readGroup(body);
        return { ...attributes, members: [{ op: 'replace', ids: members }] };
      }),

    patch: (
      caller: Caller,
      at: ScimContext,
      id: string,
      body: unknown,
      given: { header: string | undefined; query: Projection },
    ) => change(caller, at, id, given, () => groupChanges(body)),

    /** Deletes a group; its members keep the roles that other groups give them. */
    delete: (caller: Caller, at: ScimContext, id: string, header: string | undefined): Promise<void> =>
      runChange(caller, at.name, async (tx, org) => {
        const group = await existing(tx, org.id, id);
        ifMatch(header, versionOfRow(group));
        const targets = await linksOfGroup(tx, org.id, id);
        await roleSync.follow(tx, caller, targets, await deleteWithLinks(tx, group));
        const data = { scimGroup: { id, name: group.display_name } };
        await auditScim(tx, caller, org.id, `Deleted the SCIM group ${group.display_name}`, data);
      }),
  };
}

const groupNotFound = () => scimError(404, 'There is no group with this id');

async function existing(executor: ReadExecutor, orgId: string, id: string): Promise<ScimGroupRow> {
  const row = await findScimGroup(executor, orgId, id);
  if (!row) throw groupNotFound();
  return row;
}
