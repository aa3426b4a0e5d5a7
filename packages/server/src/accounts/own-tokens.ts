import type { NewAccessToken } from '@moonbase/contract/access-tokens';
import { timestamp } from '../platform/clock.ts';
import type { TokenRow } from '../platform/database/tables.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../platform/http/pagination.ts';
import { sha256 } from '../platform/secrets.ts';
import type { Accounts } from './service.ts';
import {
  deleteToken,
  deleteTokensByHash,
  findToken,
  findTokenById,
  fineGrainedFrom,
  lockAccount,
  tokensOf,
} from './store.ts';
import { exceeding } from './token-limits.ts';

export type OwnTokens = ReturnType<typeof createOwnTokens>;

interface Dependencies {
  readonly database: Database;
  readonly accounts: Accounts;
  /** Told of each token that is made, in its transaction. */
  readonly tokenMade: (tx: Executor, caller: Caller, token: TokenRow) => Promise<void>;
}

/** The access tokens of the caller. */
export function createOwnTokens({ database, accounts, tokenMade }: Dependencies) {
  return {
    async list({ principal }: Caller, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
      const rows = await tokensOf(database.executor, principal.userId, idFromCursor(cursor), limit + 1);
      const { items, next } = pageFrom(rows, limit, (row) => row.id);
      return { items: items.map(presentToken), next };
    },

    /** 400 for a token that could do more than the one that makes it, 409 where the name is in use. */
    create: (caller: Caller, given: NewAccessToken) =>
      database.transaction(async (tx) => {
        const { userId, token: own } = caller.principal;
        const excess = exceeding(own, given);
        if (excess !== undefined) throw badRequest(`body.${excess}: is more than the token that you are calling with`);
        await lockAccount(tx, userId);
        if (await findToken(tx, userId, given.displayName))
          throw conflict(`You have a token named ${given.displayName} already`);
        const { row, token } = await accounts.issueToken(tx, { ...given, userId, madeBy: own.id });
        await tokenMade(tx, caller, row);
        return { ...presentToken({ ...row, last_used_at: null }), token };
      }),

    delete: ({ principal }: Caller, id: string) =>
      database.transaction(async (tx) => {
        const token = await findTokenById(tx, id);
        if (token?.user_id !== principal.userId) throw notFound('You have no such token');
        await deleteToken(tx, id);
      }),

    /** Ends tokens that somebody found, given in clear; says nothing about which there were. */
    revokeCredentials: (credentials: readonly string[]) =>
      database.transaction((tx) => deleteTokensByHash(tx, credentials.map(sha256))),
  };
}

function presentToken(row: TokenRow & { last_used_at: number | null }) {
  const fineGrained = fineGrainedFrom(row.fine_grained);
  return {
    id: row.id,
    displayName: row.display_name,
    role: row.role,
    last4: row.last4,
    createdAt: timestamp(row.created_at),
    ...(row.last_used_at !== null && { lastUsedAt: timestamp(row.last_used_at) }),
    ...(fineGrained && { fineGrained }),
  };
}
