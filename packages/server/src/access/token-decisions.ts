import { sql } from 'kysely';
import type { Executor } from '../platform/database/transaction.ts';
import { unnest } from '../platform/database/where-in.ts';
import type { OrganizationTokenRow } from './tables.ts';

export const findDecision = (
  executor: Executor,
  orgId: string,
  tokenId: string,
): Promise<OrganizationTokenRow | undefined> =>
  executor
    .selectFrom('organization_tokens')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('token_id', '=', tokenId)
    .executeTakeFirst();

export async function putDecision(tx: Executor, row: OrganizationTokenRow): Promise<void> {
  const { status, decided_by, decided_at } = row;
  await tx
    .insertInto('organization_tokens')
    .values(row)
    .onConflict((conflict) => conflict.columns(['org_id', 'token_id']).doUpdateSet({ status, decided_by, decided_at }))
    .execute();
}

/** Decides the same of many tokens; what is revoked stays so. */
export async function putDecisions(
  tx: Executor,
  decision: Omit<OrganizationTokenRow, 'token_id'>,
  tokenIds: readonly string[],
): Promise<void> {
  const { org_id, status, decided_by, created_at, decided_at } = decision;
  await sql`
    insert into organization_tokens (org_id, token_id, status, decided_by, created_at, decided_at)
    select cast(${org_id} as text), value, cast(${status} as text), cast(${decided_by} as text),
      cast(${created_at} as bigint), cast(${decided_at} as bigint)
    from ${unnest(tx, tokenIds)} as made where true
    on conflict (org_id, token_id) do update set
      status = excluded.status, decided_by = excluded.decided_by, decided_at = excluded.decided_at
    where organization_tokens.status <> 'revoked'`.execute(tx);
}

/** What organizations said against a token: it holds for what that token makes. */
export const objectionsTo = (executor: Executor, tokenId: string): Promise<OrganizationTokenRow[]> =>
  executor
    .selectFrom('organization_tokens')
    .selectAll()
    .where('token_id', '=', tokenId)
    .where('status', 'in', ['denied', 'revoked'])
    .orderBy('org_id')
    .execute();
