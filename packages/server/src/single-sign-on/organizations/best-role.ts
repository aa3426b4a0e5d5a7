import { findRole, isAtLeast, type NamedRole } from '../../access/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { plainGroup } from '../people/claims.ts';
import type { MappedGroup } from '../providers/provider.ts';

/** Returns the best role that a person's groups give; undefined if none does. Deleted roles give nothing. */
export async function bestRole(
  tx: Executor,
  orgId: string,
  groups: readonly string[],
  mapping: readonly MappedGroup[],
): Promise<NamedRole | undefined> {
  let best: NamedRole | undefined;
  for (const { group, role: name } of mapping) {
    if (!groups.includes(plainGroup(group))) continue;
    const role = await findRole(tx, orgId, name);
    if (role && (!best || !isAtLeast(best.base, role.base))) best = role;
  }
  return best;
}
