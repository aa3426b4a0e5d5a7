import { denialsOf, findDecision, membershipRole, putDecision, putDecisions } from '../access/index.ts';
import { type Account, findAccountById, lockAccount, type TokenRow, tokensMadeBy } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Actor } from '../platform/http/actor.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../platform/http/errors.ts';
import { orgsRequiringApproval } from './token-store.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly audit: AuditLog;
}

type Decision = 'approved' | 'denied' | 'revoked';

export const REQUEST = 'org.token_approval.authorization_request';
const EVENTS = {
  approved: `${REQUEST}.authorized`,
  denied: `${REQUEST}.denied`,
  revoked: `${REQUEST}.revoked`,
} as const;
const NO_TOKEN = 'No member of this organization has this token';

/** Stores an organization's decisions about access tokens. */
export function createTokenDecisions({ clock, audit }: Dependencies) {
  /** Decides about a token. Throws 404 if the token belongs to no member; repeating a decision is not an error. */
  async function decide(tx: Executor, caller: Caller, org: Account, token: TokenRow | undefined, status: Decision) {
    // The query also runs for an unknown token, so that the time does not reveal whether it exists.
    const role = await membershipRole(tx, org.id, token?.user_id ?? '');
    if (!token || role === undefined) throw notFound(NO_TOKEN);
    const before = await findDecision(tx, org.id, token.id);
    if (before?.status === status) return;
    if (before?.status === 'revoked') throw conflict('This token has been revoked permanently');
    const { userId, token: own } = caller.principal;
    // Issuing tokens takes the same lock, so that no token made concurrently is missed.
    await lockAccount(tx, token.user_id);
    const made = status === 'approved' ? [] : await tokensMadeBy(tx, token.id);
    if (status !== 'approved' && (token.id === own.id || made.includes(own.id))) throw ownTokenError();
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

  /** Copies denials and revocations of the caller's token to a new token made with it. */
  async function inherit(tx: Executor, actor: Actor, token: TokenRow): Promise<void> {
    for (const { org_id: orgId, status, decided_by } of await denialsOf(tx, actor.principal.token.id)) {
      const now = clock.now();
      await putDecision(tx, {
        org_id: orgId,
        token_id: token.id,
        status,
        decided_by,
        created_at: now,
        decided_at: now,
      });
      await audit.record(tx, actor, {
        orgId,
        type: status === 'denied' ? EVENTS.denied : EVENTS.revoked,
        message: `Made a token with one that is ${status}; it is ${status}, too`,
        data: { token: { id: token.id, last4: token.last4, role: token.role } },
      });
    }
  }

  return {
    decide,

    /**
     * Requests approval for a member's new token where required, and applies the decisions about the token that made
     * it.
     */
    onTokenCreated: async (tx: Executor, actor: Actor, token: TokenRow): Promise<void> => {
      for (const orgId of await orgsRequiringApproval(tx, token)) {
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
        await audit.record(tx, actor, { orgId, type: REQUEST, message, data });
      }
      await inherit(tx, actor, token);
    },
  };
}

export const ownTokenError = () =>
  badRequest('You cannot revoke or deny the token that you are calling with, nor the one that made it');
