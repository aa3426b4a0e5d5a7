import type { ScimGroup } from '@moonbase/contract/scim/shapes';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { baseUrlOf, type ScimContext } from '../context.ts';
import { presentGroup } from '../protocol/resources/output.ts';
import { isAskedFor, type Projection, project } from '../protocol/resources/projection.ts';
import { versionOf } from '../protocol/resources/versions.ts';
import type { ScimGroupRow } from '../tables.ts';
import type { Tagged } from '../tagged.ts';
import { membersOf } from './store.ts';

export type WholeGroup = ScimGroup & { members: NonNullable<ScimGroup['members']> };

/** Returns the entity tag of a group, which depends on its change counter, so that its members need not be read. */
export const versionOfRow = ({ id, version }: ScimGroupRow): string => versionOf({ id, version });

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

/** Presents groups, with the requested attributes only. */
export async function presentGroups(
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

export async function presentOneGroup(
  executor: ReadExecutor,
  caller: Caller,
  at: ScimContext,
  row: ScimGroupRow,
  query: Projection,
): Promise<Tagged<WholeGroup>> {
  const [resource] = await presentGroups(executor, caller, at, [row], query);
  // The contract describes a group with members; a client that excludes them asked for less.
  return { resource: resource as WholeGroup, version: versionOfRow(row) };
}
