import { type RawBuilder, sql } from 'kysely';
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

/** Stores the same decision for many tokens, except revoked ones. */
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

/** Returns the denials and revocations of a token, which also apply to tokens made with it. */
export const denialsOf = (executor: Executor, tokenId: string): Promise<OrganizationTokenRow[]> =>
  executor
    .selectFrom('organization_tokens')
    .selectAll()
    .where('token_id', '=', tokenId)
    .where('status', 'in', ['denied', 'revoked'])
    .orderBy('org_id')
    .execute();

/** Deletes an organization's decisions about tokens. */
export async function deleteDecisions(tx: Executor, orgId: string): Promise<void> {
  await tx.deleteFrom('organization_tokens').where('org_id', '=', orgId).execute();
}

/** The condition that a token lives longer than the organization allows; a token without expiry always does. */
const livesTooLong = sql<boolean>`(s.token_max_days is not null
  and (tokens.expires_at is null or tokens.expires_at - tokens.created_at > s.token_max_days * 86400000))`;

/**
 * A column for the authentication query, which saves requests a query of their own: the organizations that a token
 * does not reach, as `id:reason,…` or null. Denied and revoked tokens are cut off whatever the policy. Where approval
 * is required, admins need none; the maximum lifetime applies to everybody. An organization without objection yields
 * null, which `string_agg` skips.
 */
export const cutOffs: RawBuilder<string | null> = sql<string | null>`(
  select string_agg(cut.org_id || ':' || cut.reason, ',') from (
    select t.org_id, case t.status when 'denied' then 'approval' else 'revoked' end as reason
    from organization_tokens t where t.token_id = tokens.id and t.status in ('revoked', 'denied')
    union all
    select s.org_id, case
      when ${livesTooLong} then 'lifetime'
      when s.token_policy = 'fine-grained' and tokens.role <> 'fineGrained' then 'fine-grained'
      when s.token_policy = 'approval' and m.base_role <> 'admin' and not exists (
        select 1 from organization_tokens a
        where a.org_id = s.org_id and a.token_id = tokens.id and a.status = 'approved'
      ) then 'approval' end
    from memberships m join organization_settings s on s.org_id = m.org_id
    where m.user_id = tokens.user_id and (s.token_policy <> 'any' or s.token_max_days is not null)
  ) as cut
)`;
