import { sql } from 'kysely';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { MAX_COUNTED } from '../platform/queue/state.ts';

export interface OrganizationFigures {
  readonly members: number;
  readonly repos: number;
  readonly deletedAt: number | null;
}

/** Returns figures of some organizations: counts from index prefixes, and when they were deleted. */
export async function organizationFigures(
  executor: ReadExecutor,
  ids: readonly string[],
): Promise<Map<string, OrganizationFigures>> {
  const { rows } = await sql<OrganizationFigures & { id: string }>`
    select a.id, s.deleted_at as "deletedAt",
      (select count(*) from (select 1 from memberships where org_id = a.id limit ${MAX_COUNTED}) as m) as members,
      (select count(*) from (select 1 from repositories where owner_id = a.id limit ${MAX_COUNTED}) as r) as repos
    from accounts a left join organization_settings s on s.org_id = a.id
    where ${whereIn(executor, 'a.id', ids)}`.execute(executor);
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}
