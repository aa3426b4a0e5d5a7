import type { NewAccessToken } from '@moonbase/contract/accounts/access-tokens';
import { type Clock, timestamp } from '../platform/clock.ts';
import { afterCommit, type Database, type Executor } from '../platform/database/transaction.ts';
import { type Caller, isSignedInUser } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../platform/http/pagination.ts';
import type { Signals } from '../platform/queue/signals.ts';
import { sha256 } from '../platform/secrets.ts';
import { requireUser } from './require-user.ts';
import type { Accounts } from './service.ts';
import {
  deleteToken,
  deleteTokensById,
  findAccount,
  findToken,
  findTokenById,
  fineGrainedFrom,
  lockAccount,
  tokensMadeBy,
  tokensOf,
  tokensWithHashes,
} from './store.ts';
import type { TokenRow } from './tables.ts';
import { exceedingPart } from './token-limits.ts';

export type OwnTokens = ReturnType<typeof createOwnTokens>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  /** Makes open streams of a user look their caller up again. */
  readonly callers: Signals;
  /** Called for each new token, in its transaction. */
  readonly onTokenCreated: (tx: Executor, caller: Caller, token: TokenRow) => Promise<void>;
  /**
   * Returns the ids of the access tokens through which other credentials act, the tokens of applications and trusted
   * publishers, given the hashes of these credentials.
   */
  readonly tokensBehind: (tx: Executor, hashes: readonly string[]) => Promise<string[]>;
}

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The access tokens of a user, for that user and for site administrators. */
export function createOwnTokens({ database, clock, accounts, callers, onTokenCreated, tokensBehind }: Dependencies) {
  async function page(userId: string, { cursor, limit }: PageQuery) {
    const rows = await tokensOf(database.read, userId, idFromCursor(cursor), limit + 1);
    const { items, next } = pageFrom(rows, limit, (row) => row.id);
    return { items: items.map(presentToken), next };
  }

  async function end(tx: Executor, userId: string, id: string, missing: string): Promise<void> {
    const token = await findTokenById(tx, id);
    if (token?.user_id !== userId) throw notFound(missing);
    await deleteToken(tx, id);
    afterCommit(tx, () => callers.send([userId]));
  }

  return {
    list: ({ principal }: Caller, query: PageQuery) => page(principal.userId, query),

    listOf: async (name: string, query: PageQuery) =>
      page(requireUser(await findAccount(database.read, name), name).id, query),

    deleteOf: (name: string, id: string): Promise<void> =>
      database.transaction(async (tx) => {
        const user = requireUser(await findAccount(tx, name), name);
        await end(tx, user.id, id, `${user.name} has no such token`);
      }),

    /**
     * Creates a token. Throws 400 if it would exceed the rights or the lifetime of the caller's token; 409 if the name
     * is in use.
     */
    create: (caller: Caller, { expiresAt: until, ...wanted }: NewAccessToken) =>
      database.transaction(async (tx) => {
        const { userId, token: own } = caller.principal;
        const given = { ...wanted, expiresAt: until === undefined ? undefined : Date.parse(until) };
        if (given.expiresAt !== undefined && given.expiresAt <= clock.now())
          throw badRequest('body.expiresAt: must be in the future');
        const excess = exceedingPart(own, given);
        if (excess !== undefined) throw badRequest(`body.${excess}: is more than the token that you are calling with`);
        await lockAccount(tx, userId);
        if (await findToken(tx, userId, given.displayName))
          throw conflict(`You already have a token named ${given.displayName}`);
        const { row, token } = await accounts.issueToken(tx, {
          ...given,
          userId,
          madeBy: isSignedInUser(caller.principal) ? undefined : own.id,
        });
        await onTokenCreated(tx, caller, row);
        return { ...presentToken({ ...row, last_used_at: null }), token };
      }),

    delete: ({ principal }: Caller, id: string): Promise<void> =>
      database.transaction((tx) => end(tx, principal.userId, id, 'You have no such token')),

    /** Revokes leaked tokens, given in clear, and the tokens that they made; does not reveal which of them existed. */
    revokeCredentials: (credentials: readonly string[]) =>
      database.transaction(async (tx) => {
        const hashes = credentials.map(sha256);
        const leaked = [...(await tokensWithHashes(tx, hashes)), ...(await tokensBehind(tx, hashes))];
        const made: string[] = [];
        for (const id of leaked) made.push(...(await tokensMadeBy(tx, id)));
        const userIds = await deleteTokensById(tx, [...new Set([...leaked, ...made])]);
        afterCommit(tx, () => callers.send([...new Set(userIds)]));
      }),
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
    ...(row.expires_at !== null && { expiresAt: timestamp(row.expires_at) }),
    ...(fineGrained && { fineGrained }),
  };
}
