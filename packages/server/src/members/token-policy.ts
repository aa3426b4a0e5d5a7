import type { TokenPolicy } from '@moonbase/contract/organizations/member-tokens';
import {
  lockOrganization,
  type OrganizationSettings,
  requireOrganization,
  requirePlan,
  settingsOf,
  updateSettings,
} from '../access/index.ts';
import { type Account, findTokenById } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Database, Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { type Caller, isSignedInUser } from '../platform/http/authenticate.ts';
import { badRequest } from '../platform/http/errors.ts';

interface Dependencies {
  readonly database: Database;
  readonly audit: AuditLog;
}

interface PolicyChange {
  readonly policy?: TokenPolicy | undefined;
  /** The maximum lifetime of tokens in days; null: unlimited. */
  readonly maxDays?: number | null | undefined;
}

type Policy = Pick<OrganizationSettings, 'token_policy' | 'token_max_days'>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the organization whose tokens the caller administers. Throws 402 below the plan enterprise. */
export async function requireAdministeredOrganization(
  db: ReadExecutor,
  caller: Caller,
  name: string,
): Promise<Account> {
  const need = { role: 'admin', permission: 'org.read' } as const;
  const { organization } = await requireOrganization(db, caller.principal, name, need);
  requirePlan(organization, 'enterprise');
  return organization;
}

/** Returns the organization whose tokens the caller administers, locked. Throws 402 below the plan enterprise. */
export async function lockAdministeredOrganization(tx: Executor, caller: Caller, name: string): Promise<Account> {
  const need = { role: 'admin', permission: 'org.write' } as const;
  const { organization } = await lockOrganization(tx, caller.principal, name, need);
  requirePlan(organization, 'enterprise');
  return organization;
}

/** The requirements of an organization for the access tokens of its members. */
export function createTokenPolicy({ database, audit }: Dependencies) {
  async function recordChange(tx: Executor, caller: Caller, orgId: string, before: Policy, after: Policy) {
    const { token_policy: policyBefore, token_max_days: daysBefore } = before;
    const { token_policy: policy, token_max_days: days } = after;
    if (policy !== policyBefore)
      await audit.record(tx, caller, {
        orgId,
        type: policyEvent(policyBefore, policy),
        message: `Changed the token policy from ${policyBefore} to ${policy}`,
        data: { before: policyBefore, after: policy },
      });
    if (days !== daysBefore)
      await audit.record(tx, caller, {
        orgId,
        type: 'org.update_settings',
        message: `Changed the longest life of tokens from ${daysText(daysBefore)} to ${daysText(days)}`,
        data: { before: { tokenMaxDays: daysBefore }, after: { tokenMaxDays: days } },
      });
  }

  return {
    get: async (caller: Caller, name: string) => {
      const { id } = await requireAdministeredOrganization(database.read, caller, name);
      const { token_policy: policy, token_max_days: maxDays } = await settingsOf(database.read, id);
      return { policy, maxDays };
    },

    /** Sets the policy. Throws 400 if it would refuse the caller's own token. */
    set: (caller: Caller, name: string, { policy, maxDays }: PolicyChange): Promise<void> =>
      database.transaction(async (tx) => {
        const org = await lockAdministeredOrganization(tx, caller, name);
        const before = await settingsOf(tx, org.id);
        const after: Policy = {
          token_policy: policy ?? before.token_policy,
          token_max_days: maxDays === undefined ? before.token_max_days : maxDays,
        };
        if (!isSignedInUser(caller.principal)) await requireAdmitted(tx, caller, before, after);
        await updateSettings(tx, org.id, after);
        await recordChange(tx, caller, org.id, before, after);
      }),
  };
}

async function requireAdmitted(tx: Executor, { principal }: Caller, before: Policy, after: Policy): Promise<void> {
  const { token_policy: policy, token_max_days: days } = after;
  const { token } = principal;
  if (policy !== before.token_policy && policy === 'fine-grained' && token.role !== 'fineGrained')
    throw badRequest('This would lock out the token that you are calling with; call with a fine-grained one');
  if (days === null || days === before.token_max_days) return;
  const row = await findTokenById(tx, token.id);
  const lifetimeMs = (row?.expires_at ?? Number.POSITIVE_INFINITY) - (row?.created_at ?? 0);
  if (lifetimeMs > days * DAY_MS)
    throw badRequest(
      'This would lock out the token that you are calling with; call with one that expires soon enough, or sign in',
    );
}

function policyEvent(before: TokenPolicy, after: TokenPolicy) {
  if (after === 'approval') return 'org.token_approval.enabled';
  return before === 'approval' ? 'org.token_approval.disabled' : 'org.update_settings';
}

const daysText = (days: number | null): string => (days === null ? 'unlimited' : `${days} days`);
