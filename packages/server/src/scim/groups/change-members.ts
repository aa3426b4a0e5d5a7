import type { Executor } from '../../platform/database/transaction.ts';
import { scimError } from '../protocol/errors.ts';
import type { MemberChange } from '../protocol/patch/group-changes.ts';
import { netMembers } from '../protocol/patch/net-members.ts';
import type { ScimGroupRow } from '../tables.ts';
import { addMembers, filterUsers, memberIdsOf, removeMembers } from './store.ts';

/**
 * Applies changes to the members of a group; returns added and removed users. Throws 400 for users outside the
 * organization.
 */
export async function changeMembers(tx: Executor, group: ScimGroupRow, steps: readonly MemberChange[]) {
  const { named, added, removed } = netMembers(steps);
  const known = await filterUsers(tx, group.org_id, named);
  const unknown = named.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw scimError(400, `members: there is no user with the id ${unknown.slice(0, 100)}`, 'invalidValue');
  const came = await addMembers(tx, group.id, added);
  const staying = new Set(added);
  const left = removed ?? (await memberIdsOf(tx, group.id)).filter((id) => !staying.has(id));
  return { came, went: await removeMembers(tx, group.id, left) };
}
