import { type RawBuilder, sql } from 'kysely';
import { findAccount } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { CutOff, Principal } from '../platform/http/authenticate.ts';
import { forbidden, type HubError, repoNotFound } from '../platform/http/errors.ts';
import { standingOn } from './store.ts';

/** W§6.4. */
const TEXTS: Readonly<Record<CutOff, string>> = {
  revoked:
    'Your token has been revoked by the organization administrator, you can no longer access organization resources. Please contact them for more information.',
  approval:
    'Due to the organization token policy, your token needs to be approved by the organization before you can access this resource.',
  'fine-grained': 'Due to the organization token policy, only fine-grained tokens can access this resource.',
};

/**
 * The organizations that a token does not reach, as `id:reason,…` or null: a column for the query that authenticates,
 * so that requests pay no other. What was denied or revoked is cut off whatever the policy and whoever has it; where
 * approval is needed, admins pass without one.
 */
export const cutOffs: RawBuilder<string | null> = sql<string | null>`(
  select string_agg(cut.org_id || ':' || cut.reason, ',') from (
    select t.org_id, case t.status when 'denied' then 'approval' else 'revoked' end as reason
    from organization_tokens t where t.token_id = tokens.id and t.status in ('revoked', 'denied')
    union all
    select s.org_id, s.token_policy from memberships m join organization_settings s on s.org_id = m.org_id
    where m.user_id = tokens.user_id and s.token_policy <> 'any' and case s.token_policy
      when 'fine-grained' then tokens.role <> 'fineGrained'
      else m.base_role <> 'admin' and not exists (
        select 1 from organization_tokens a
        where a.org_id = s.org_id and a.token_id = tokens.id and a.status = 'approved'
      ) end
  ) as cut
)`;

/** What `cutOffs` answered. A revocation goes before a policy. */
export function cutOffFrom(text: string | null): Principal['token']['cutOff'] {
  if (text === null) return undefined;
  const pairs = text.split(',').map((pair) => pair.split(':') as [string, CutOff]);
  return Object.fromEntries(pairs.sort(([, a], [, b]) => Number(a === 'revoked') - Number(b === 'revoked')));
}

/** 403 where an organization has cut off the token of the caller, or does not admit it. */
export function requireReach({ token }: Principal, ownerId: string): void {
  const reason = token.cutOff?.[ownerId];
  if (reason) throw forbidden(TEXTS[reason]);
}

/**
 * The error for a repository that is not there: a token that is cut off learns nothing from it, and nobody learns from
 * the time, as it comes after as many questions as of one that the caller may not see.
 */
export async function missingRepo(executor: ReadExecutor, principal: Principal, namespace: string): Promise<HubError> {
  if (principal.token.cutOff) {
    const owner = await findAccount(executor, namespace);
    if (owner) requireReach(principal, owner.id);
  }
  await standingOn(executor, { ownerId: '', groupId: null }, principal.userId);
  return repoNotFound();
}
