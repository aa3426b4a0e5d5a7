import type { TokenPolicy } from '@moonbase/contract/organizations/member-tokens';
import {
  findDecision,
  lockOrganization,
  membershipRole,
  objectionsTo,
  putDecision,
  putDecisions,
  requireOrganization,
  requirePlan,
  settingsOf,
  updateSettings,
} from '../access/index.ts';
import {
  type Account,
  findAccountById,
  findTokenByHash,
  findTokenById,
  lockAccount,
  type TokenRow,
  tokensMadeBy,
} from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import { type Clock, timestamp } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../platform/http/errors.ts';
import { idFromCursor } from '../platform/http/pagination.ts';
import { sha256 } from '../platform/secrets.ts';
import { listReaching, orgsAskingApproval } from './token-store.ts';

export type MemberTokens = ReturnType<typeof createMemberTokens>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditLog;
}

type Decision = 'approved' | 'denied' | 'revoked';

const REQUEST = 'org.token_approval.authorization_request';
const EVENTS = {
  approved: `${REQUEST}.authorized`,
  denied: `${REQUEST}.denied`,
  revoked: `${REQUEST}.revoked`,
} as const;
const NO_TOKEN = 'No member of this organization has this token';

/** Which access tokens of its members an organization admits. All of it needs the plan enterprise. */
export function createMemberTokens({ database, clock, audit }: Dependencies) {
  async function administered(tx: Executor, caller: Caller, name: string) {
    const need = { role: 'admin', permission: 'org.write' } as const;
    const { organization } = await lockOrganization(tx, caller.principal, name, need);
    requirePlan(organization, 'enterprise');
    return organization;
  }

  /** 404 for a token of nobody who belongs to the organization; a decision that holds already is no error. */
  async function decide(tx: Executor, caller: Caller, org: Account, token: TokenRow | undefined, status: Decision) {
    // Asked of one that is not there, too: nobody learns from the time whether somebody else has it.
    const role = await membershipRole(tx, org.id, token?.user_id ?? '');
    if (!token || role === undefined) throw notFound(NO_TOKEN);
    const before = await findDecision(tx, org.id, token.id);
    if (before?.status === status) return;
    if (before?.status === 'revoked') throw conflict('This token has been revoked, which is for good');
    const { userId, token: own } = caller.principal;
    // Held by who makes a token, too: none is made meanwhile that this does not find.
    await lockAccount(tx, token.user_id);
    const made = status === 'approved' ? [] : await tokensMadeBy(tx, token.id);
    if (status !== 'approved' && (token.id === own.id || made.includes(own.id))) throw ownToken();
    const now = clock.now();
    const decision = { org_id: org.id, status, decided_by: userId, created_at: now, decided_at: now };
    await putDecision(tx, { ...decision, token_id: token.id });
    if (made.length > 0) await putDecisions(tx, decision, made);
    const owner = await findAccountById(tx, token.user_id);
    const verb = { approved: 'Approved', denied: 'Denied', revoked: 'Revoked' }[status];
    await audit.record(tx, caller, {
      orgId: org.id,
      type: EVENTS[status],
      message: `${verb} a token of ${owner?.name ?? 'a member'}`,
      data: {
        token: { id: token.id, last4: token.last4, role: token.role },
        user: owner?.name,
        ...(made.length > 0 && { madeByIt: made.length }),
      },
    });
  }

  /** What was said against the token that makes another one holds for that, too. */
  async function inherit(tx: Executor, caller: Caller, token: TokenRow): Promise<void> {
    for (const { org_id: orgId, status, decided_by } of await objectionsTo(tx, caller.principal.token.id)) {
      const now = clock.now();
      await putDecision(tx, {
        org_id: orgId,
        token_id: token.id,
        status,
        decided_by,
        created_at: now,
        decided_at: now,
      });
      await audit.record(tx, caller, {
        orgId,
        type: status === 'denied' ? EVENTS.denied : EVENTS.revoked,
        message: `Made a token with one that is ${status}; it is ${status}, too`,
        data: { token: { id: token.id, last4: token.last4, role: token.role } },
      });
    }
  }

  return {
    /** E14: for good, and elsewhere the token keeps working. */
    revoke: (caller: Caller, name: string, by: { readonly token: string } | { readonly id: string }) =>
      database.transaction(async (tx) => {
        const org = await administered(tx, caller, name);
        const token = await ('token' in by ? findTokenByHash(tx, sha256(by.token)) : findTokenById(tx, by.id));
        if (token?.id === caller.principal.token.id) throw ownToken();
        await decide(tx, caller, org, token, 'revoked');
      }),

    decide: (caller: Caller, name: string, id: string, status: 'approved' | 'denied') =>
      database.transaction(async (tx) => {
        const org = await administered(tx, caller, name);
        await decide(tx, caller, org, await findTokenById(tx, id), status);
      }),

    async list(caller: Caller, name: string, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
      const need = { role: 'admin', permission: 'org.read' } as const;
      const { organization: org } = await requireOrganization(database.read, caller.principal, name, need);
      requirePlan(org, 'enterprise');
      const { token_policy: policy } = await settingsOf(database.read, org.id);
      const { rows, next } = await listReaching(database.read, org.id, idFromCursor(cursor), limit);
      return {
        items: rows.map((row) => ({
          id: row.id,
          user: row.userName,
          role: row.role,
          last4: row.last4,
          status: row.status ?? (policy === 'approval' && row.baseRole !== 'admin' ? 'pending' : 'approved'),
          ...(row.lastUsedAt !== null && { lastUsedAt: timestamp(row.lastUsedAt) }),
        })),
        next,
      };
    },

    /** 400 for a policy that would shut out the caller. */
    setPolicy: (caller: Caller, name: string, policy: TokenPolicy) =>
      database.transaction(async (tx) => {
        const org = await administered(tx, caller, name);
        const { token_policy: before } = await settingsOf(tx, org.id);
        if (policy === before) return;
        if (policy === 'fine-grained' && caller.principal.token.role !== 'fineGrained')
          throw badRequest('This would shut out the token that you are calling with; call with a fine-grained one');
        await updateSettings(tx, org.id, { token_policy: policy });
        await audit.record(tx, caller, {
          orgId: org.id,
          type: policyEvent(before, policy),
          message: `Changed the token policy from ${before} to ${policy}`,
          data: { before, after: policy },
        });
      }),

    /** A member's new token asks for approval where that is needed, and is what the token is that made it. */
    tokenMade: async (tx: Executor, caller: Caller, token: TokenRow): Promise<void> => {
      for (const orgId of await orgsAskingApproval(tx, token)) {
        const now = clock.now();
        await putDecision(tx, {
          org_id: orgId,
          token_id: token.id,
          status: 'pending',
          decided_by: null,
          created_at: now,
          decided_at: null,
        });
        const message = `Made a token that needs approval`;
        const data = { token: { id: token.id, last4: token.last4, role: token.role } };
        await audit.record(tx, caller, { orgId, type: REQUEST, message, data });
      }
      await inherit(tx, caller, token);
    },
  };
}

const ownToken = () =>
  badRequest('You cannot revoke or deny the token that you are calling with, nor the one that made it');

function policyEvent(before: TokenPolicy, after: TokenPolicy) {
  if (after === 'approval') return 'org.token_approval.enabled';
  return before === 'approval' ? 'org.token_approval.disabled' : 'org.update_settings';
}
