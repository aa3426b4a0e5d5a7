import type { NewAccessToken } from '@moonbase/contract/accounts/access-tokens';
import { timestamp } from '../platform/clock.ts';
import { afterCommit, type Database, type Executor, type ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../platform/http/pagination.ts';
import type { Signals } from '../platform/queue/signals.ts';
import { sha256 } from '../platform/secrets.ts';
import type { Accounts } from './service.ts';
import {
  type Account,
  deleteToken,
  deleteTokensByHash,
  findAccount,
  findToken,
  findTokenById,
  fineGrainedFrom,
  lockAccount,
  tokensOf,
} from './store.ts';
import type { TokenRow } from './tables.ts';
import { exceeding } from './token-limits.ts';

export type OwnTokens = ReturnType<typeof createOwnTokens>;

interface Dependencies {
  readonly database: Database;
  readonly accounts: Accounts;
  /** Tells open streams of users that ask for their caller again. */
  readonly callers: Signals;
  /** Told of each token that is made, in its transaction. */
  readonly onTokenCreated: (tx: Executor, caller: Caller, token: TokenRow) => Promise<void>;
}

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The access tokens of the caller; those of others for site administrators. */
export function createOwnTokens({ database, accounts, callers, onTokenCreated }: Dependencies) {
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

  async function requireUser(executor: ReadExecutor, name: string): Promise<Account> {
    const user = await findAccount(executor, name);
    if (user?.kind !== 'user') throw notFound(`There is no user named ${name}`);
    return user;
  }

  return {
    list: ({ principal }: Caller, query: PageQuery) => page(principal.userId, query),

    listOf: async (name: string, query: PageQuery) => page((await requireUser(database.read, name)).id, query),

    deleteOf: (name: string, id: string): Promise<void> =>
      database.transaction(async (tx) => {
        const user = await requireUser(tx, name);
        await end(tx, user.id, id, `${user.name} has no such token`);
      }),

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
        await onTokenCreated(tx, caller, row);
        return { ...presentToken({ ...row, last_used_at: null }), token };
      }),

    delete: ({ principal }: Caller, id: string): Promise<void> =>
      database.transaction((tx) => end(tx, principal.userId, id, 'You have no such token')),

    /** Ends tokens that somebody found, given in clear; says nothing about which there were. */
    revokeCredentials: (credentials: readonly string[]) =>
      database.transaction(async (tx) => {
        const userIds = await deleteTokensByHash(tx, credentials.map(sha256));
        afterCommit(tx, () => callers.send(userIds));
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
    ...(fineGrained && { fineGrained }),
  };
}
