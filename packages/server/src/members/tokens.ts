import { settingsOf } from '../access/index.ts';
import { findTokenByHash, findTokenById } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import { type Clock, timestamp } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { idFromCursor } from '../platform/http/pagination.ts';
import { sha256 } from '../platform/secrets.ts';
import { createTokenDecisions, ownTokenError } from './token-decisions.ts';
import { createTokenPolicy, lockAdministeredOrganization, requireAdministeredOrganization } from './token-policy.ts';
import { listTokensReaching } from './token-store.ts';

export type MemberTokens = ReturnType<typeof createMemberTokens>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditLog;
}

/** Controls which access tokens of its members an organization accepts. Needs the plan enterprise. */
export function createMemberTokens({ database, clock, audit }: Dependencies) {
  const decisions = createTokenDecisions({ clock, audit });
  const policy = createTokenPolicy({ database, audit });

  return {
    /** Revokes a token in this organization permanently (E14); the token keeps working elsewhere. */
    revoke: (caller: Caller, name: string, by: { readonly token: string } | { readonly id: string }) =>
      database.transaction(async (tx) => {
        const org = await lockAdministeredOrganization(tx, caller, name);
        const token = await ('token' in by ? findTokenByHash(tx, sha256(by.token)) : findTokenById(tx, by.id));
        if (token?.id === caller.principal.token.id) throw ownTokenError();
        await decisions.decide(tx, caller, org, token, 'revoked');
      }),

    decide: (caller: Caller, name: string, id: string, status: 'approved' | 'denied') =>
      database.transaction(async (tx) => {
        const org = await lockAdministeredOrganization(tx, caller, name);
        await decisions.decide(tx, caller, org, await findTokenById(tx, id), status);
      }),

    async list(caller: Caller, name: string, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
      const org = await requireAdministeredOrganization(database.read, caller, name);
      const { token_policy: demanded } = await settingsOf(database.read, org.id);
      const { rows, next } = await listTokensReaching(database.read, org.id, idFromCursor(cursor), limit);
      return {
        items: rows.map((row) => ({
          id: row.id,
          user: row.userName,
          role: row.role,
          last4: row.last4,
          ...(row.last4 === '' && { application: row.displayName }),
          status: row.status ?? (demanded === 'approval' && row.baseRole !== 'admin' ? 'pending' : 'approved'),
          ...(row.lastUsedAt !== null && { lastUsedAt: timestamp(row.lastUsedAt) }),
          ...(row.expiresAt !== null && { expiresAt: timestamp(row.expiresAt) }),
        })),
        next,
      };
    },

    policy: policy.get,
    setPolicy: policy.set,
    onTokenCreated: decisions.onTokenCreated,
  };
}
