import type { ListResponse, ScimGroup } from '@moonbase/contract/scim/shapes';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import type { Ids } from '../../platform/ids.ts';
import type { ManagedUsers } from '../../resource-groups/index.ts';
import type { Changing } from '../change.ts';
import { baseUrlOf, type ScimContext } from '../context.ts';
import { scimError } from '../protocol/errors.ts';
import { fold } from '../protocol/filter/filter.ts';
import { parseFilter } from '../protocol/filter/parse.ts';
import { type GroupChanges, groupChanges, type MemberChange } from '../protocol/patch/group-changes.ts';
import { netMembers } from '../protocol/patch/net-members.ts';
import { readGroup } from '../protocol/resources/group-input.ts';
import { listResponse, presentGroup } from '../protocol/resources/output.ts';
import { readPage } from '../protocol/resources/paging.ts';
import { isAskedFor, type Projection, project } from '../protocol/resources/projection.ts';
import { ifMatch, versionOf } from '../protocol/resources/versions.ts';
import { requireScim } from '../requirements.ts';
import { isLinked, linksOfGroup } from '../role-sync/link-store.ts';
import type { RoleSync } from '../role-sync/role-sync.ts';
import type { ScimGroupRow } from '../tables.ts';
import type { Tagged } from '../tagged.ts';
import {
  addMembers,
  countGroups,
  deleteGroup,
  findScimGroup,
  insertGroup,
  listGroups,
  memberIdsOf,
  membersOf,
  removeMembers,
  updateGroup,
  usersAmong,
} from './store.ts';

type ListQuery = Projection & {
  readonly startIndex?: string | number | undefined;
  readonly count?: string | number | undefined;
  readonly filter?: string | undefined;
};

/** What groups and their links work with. */
export interface GroupDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditLog;
  readonly changing: Changing;
  readonly following: RoleSync;
  readonly managedUsers: ManagedUsers;
}

/** With its members, unless they were excluded. */
type Whole = ScimGroup & { members: NonNullable<ScimGroup['members']> };

export type Groups = ReturnType<typeof createGroups>;

export function createGroups(dependencies: GroupDependencies) {
  const { database, clock, ids, audit, changing, following, managedUsers } = dependencies;

  /** The tag of a group comes from the count of its changes: its members need not be read for it. */
  function present(
    caller: Caller,
    at: ScimContext,
    row: ScimGroupRow,
    members: readonly string[] | undefined,
  ): ScimGroup {
    const { id, external_id: externalId, display_name: displayName, created_at, updated_at } = row;
    const group = { id, externalId, displayName, members, createdAt: created_at, updatedAt: updated_at };
    const resource = presentGroup(group, { baseUrl: baseUrlOf(caller, at) });
    const meta: ScimGroup['meta'] & { version: string } = { ...resource.meta, version: versionOfRow(row) };
    return { ...resource, meta };
  }

  async function presentAll(
    executor: ReadExecutor,
    caller: Caller,
    at: ScimContext,
    rows: readonly ScimGroupRow[],
    query: Projection,
  ): Promise<ScimGroup[]> {
    const members = isAskedFor('Group', 'members', query)
      ? await membersOf(
          executor,
          rows.map(({ id }) => id),
        )
      : undefined;
    return rows.map((row) => project('Group', present(caller, at, row, members?.get(row.id)), query));
  }

  async function presentOne(
    executor: ReadExecutor,
    caller: Caller,
    at: ScimContext,
    row: ScimGroupRow,
    query: Projection,
  ): Promise<Tagged<Whole>> {
    const [resource] = await presentAll(executor, caller, at, [row], query);
    return { resource: resource as Whole, version: versionOfRow(row) };
  }

  const note = (tx: Executor, caller: Caller, orgId: string, message: string, data: object) =>
    audit.record(tx, caller, { orgId, type: 'org.update_settings', message, data });

  /** Changes who is in a group; returns who came and who went. 400 for somebody who is no user here. */
  async function changeMembers(tx: Executor, group: ScimGroupRow, steps: readonly MemberChange[]) {
    const { named, added, removed } = netMembers(steps);
    if (named.length > 0) {
      const known = await usersAmong(tx, group.org_id, named);
      const unknown = named.find((id) => !known.has(id));
      if (unknown !== undefined)
        throw scimError(400, `members: there is no user with the id ${unknown.slice(0, 100)}`, 'invalidValue');
    }
    const came = added.length > 0 ? await addMembers(tx, group.id, added) : [];
    const staying = new Set(added);
    const left = removed ?? (await memberIdsOf(tx, group.id)).filter((id) => !staying.has(id));
    const went = left.length > 0 ? await removeMembers(tx, group.id, left) : [];
    return { came, went };
  }

  async function applyChanges(tx: Executor, caller: Caller, group: ScimGroupRow, changes: GroupChanges): Promise<void> {
    const { displayName = group.display_name, externalId = group.external_id } = changes;
    const { came, went } = await changeMembers(tx, group, changes.members);
    const renamed = displayName !== group.display_name;
    if (!renamed && externalId === group.external_id && came.length + went.length === 0) return;
    const columns = { display_name: displayName, display_key: fold(displayName), external_id: externalId };
    await updateGroup(tx, group.id, { ...columns, updated_at: clock.now() });
    await note(tx, caller, group.org_id, `Changed the SCIM group ${displayName}`, {
      scimGroup: { id: group.id, name: displayName },
      ...(renamed && { before: group.display_name }),
      added: came.length,
      removed: went.length,
    });
    await following.follow(tx, caller, group.org_id, await linksOfGroup(tx, group.id), [...came, ...went]);
  }

  async function existing(executor: ReadExecutor, orgId: string, id: string): Promise<ScimGroupRow> {
    const row = await findScimGroup(executor, orgId, id);
    if (!row) throw groupNotFound();
    return row;
  }

  const change = (
    caller: Caller,
    at: ScimContext,
    id: string,
    { header, query }: { readonly header: string | undefined; readonly query: Projection },
    read: () => GroupChanges,
  ): Promise<Tagged<Whole>> =>
    changing(caller, at.name, async (tx, org) => {
      const group = await existing(tx, org.id, id);
      ifMatch(header, versionOfRow(group));
      await applyChanges(tx, caller, group, read());
      return presentOne(tx, caller, at, await existing(tx, org.id, id), query);
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
      return listResponse(await presentAll(read, caller, at, rows, query), { totalResults, startIndex });
    },

    async get(caller: Caller, at: ScimContext, id: string, query: Projection): Promise<Tagged<Whole>> {
      const { id: orgId } = await requireScim(database.read, caller.principal, at.name);
      return presentOne(database.read, caller, at, await existing(database.read, orgId, id), query);
    },

    create: (caller: Caller, at: ScimContext, body: unknown): Promise<Tagged<Whole>> =>
      changing(caller, at.name, async (tx, org) => {
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
        };
        await insertGroup(tx, row);
        await changeMembers(tx, row, [{ op: 'add', ids: members }]);
        const data = { scimGroup: { id: row.id, name: displayName }, added: members.length };
        await note(tx, caller, org.id, `Created the SCIM group ${displayName}`, data);
        return presentOne(tx, caller, at, row, {});
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

    /** Its members keep what other groups give them. */
    delete: (caller: Caller, at: ScimContext, id: string, header: string | undefined): Promise<void> =>
      changing(caller, at.name, async (tx, org) => {
        const group = await existing(tx, org.id, id);
        ifMatch(header, versionOfRow(group));
        const places = await linksOfGroup(tx, id);
        const members = await memberIdsOf(tx, id);
        await deleteGroup(tx, id);
        await following.follow(tx, caller, org.id, places, members);
        for (const resourceGroupId of places.resourceGroupIds)
          if (!(await isLinked(tx, resourceGroupId))) await managedUsers.release(tx, caller, resourceGroupId);
        const data = { scimGroup: { id, name: group.display_name } };
        await note(tx, caller, org.id, `Deleted the SCIM group ${group.display_name}`, data);
      }),
  };
}

const groupNotFound = () => scimError(404, 'There is no group with this id');
const versionOfRow = ({ id, version }: ScimGroupRow): string => versionOf({ id, version });
