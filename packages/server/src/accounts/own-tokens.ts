import type { NewAccessToken } from '@moonbase/contract/accounts/access-tokens';
import { type AuditLog, anybodyAt, recordForSite } from '../audit-log/index.ts';
import { type Clock, timestamp } from '../platform/clock.ts';
import { afterCommit, type Database, type Executor } from '../platform/database/transaction.ts';
import { type Caller, isSignedInUser, type Visitor } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound, unauthorized } from '../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../platform/http/pagination.ts';
import { requireRoomFor } from '../platform/limits/own-quotas.ts';
import type { Signals } from '../platform/queue/signals.ts';
import { sha256 } from '../platform/secrets.ts';
import { requireUser } from './require-user.ts';
import type { Accounts } from './service.ts';
import {
  countTokens,
  deleteToken,
  deleteTokensById,
  findAccount,
  findAccountsById,
  findToken,
  findTokenById,
  fineGrainedFrom,
  lockAccountById,
  lockHolders,
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
  readonly audit: AuditLog;
  /** The access tokens that a user may have; undefined means no limit. */
  readonly maxTokens: number | undefined;
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
export function createOwnTokens(given: Dependencies) {
  const { database, clock, accounts, audit, callers, maxTokens, onTokenCreated, tokensBehind } = given;

  async function page(userId: string, { cursor, limit }: PageQuery) {
    const rows = await tokensOf(database.read, userId, idFromCursor(cursor), limit + 1);
    const { items, next } = pageFrom(rows, limit, (row) => row.id);
    return { items: items.map(presentToken), next };
  }

  /** Locks the account. Throws 409 if the user has as many tokens as the quota permits. */
  async function requireRoom(tx: Executor, userId: string): Promise<void> {
    const account = await lockAccountById(tx, userId);
    const given = { own: account?.token_quota ?? null, byDefault: maxTokens };
    await requireRoomFor('access token', given, (max) => countTokens(tx, userId, max));
  }

  /** Throws 401 if the token of the caller was deleted since the request began; the account is locked. */
  async function requireStillThere(tx: Executor, { principal }: Caller): Promise<void> {
    if (isSignedInUser(principal) || (await findTokenById(tx, principal.token.id))) return;
    throw unauthorized('The access token is invalid');
  }

  async function end(tx: Executor, caller: Caller, user: Holder, { id, keepCreated, missing }: Ending): Promise<void> {
    const { id: userId, name } = user;
    await lockAccountById(tx, userId);
    const token = await findTokenById(tx, id);
    if (token?.user_id !== userId) throw notFound(missing);
    const made = keepCreated ? [] : await deleteTokensById(tx, await tokensMadeBy(tx, id));
    await deleteToken(tx, id);
    const message = `Revoked the access token ${token.display_name} of ${name}`;
    await recordForSite(audit, tx, caller, { type: 'token.delete', message, data: auditedToken(user, token) });
    const madeWith = { id, name: token.display_name };
    for (const each of made.sort((one, other) => (one.id < other.id ? -1 : 1)))
      await recordForSite(audit, tx, caller, {
        type: 'token.delete',
        message: `Revoked the access token ${each.display_name} of ${name}, which was made with ${token.display_name}`,
        data: { ...auditedToken(user, each), madeWith },
      });
    afterCommit(tx, () => callers.send([userId]));
  }

  return {
    list: ({ principal }: Caller, query: PageQuery) => page(principal.userId, query),

    listOf: async (name: string, query: PageQuery) =>
      page(requireUser(await findAccount(database.read, name), name).id, query),

    deleteOf: (caller: Caller, name: string, id: string, keepCreated?: boolean): Promise<void> =>
      database.transaction(async (tx) => {
        const user = requireUser(await findAccount(tx, name), name);
        await end(tx, caller, user, { id, keepCreated, missing: `${user.name} has no such token` });
      }),

    /**
     * Creates a token. Throws 400 if it would exceed the rights or the lifetime of the caller's token; 409 if the name
     * is in use, or the quota is used up.
     */
    create: (caller: Caller, { expiresAt: until, ...wanted }: NewAccessToken) =>
      database.transaction(async (tx) => {
        const { userId, userName, token: own } = caller.principal;
        const given = { ...wanted, expiresAt: until === undefined ? undefined : Date.parse(until) };
        if (given.expiresAt !== undefined && given.expiresAt <= clock.now())
          throw badRequest('body.expiresAt: must be in the future');
        const excess = exceedingPart(own, given);
        if (excess !== undefined) throw badRequest(`body.${excess}: is more than the token that you are calling with`);
        await requireRoom(tx, userId);
        await requireStillThere(tx, caller);
        if (await findToken(tx, userId, given.displayName))
          throw conflict(`You already have a token named ${given.displayName}`);
        const madeBy = isSignedInUser(caller.principal) ? undefined : own.id;
        const { row, token } = await accounts.issueToken(tx, { ...given, userId, madeBy });
        await onTokenCreated(tx, caller, row);
        const message = `Made the access token ${row.display_name}`;
        const data = auditedToken({ id: userId, name: userName }, row);
        await recordForSite(audit, tx, caller, { type: 'token.create', message, data });
        return { ...presentToken({ ...row, last_used_at: null, made_by: madeBy ?? null }), token };
      }),

    delete(caller: Caller, id: string, keepCreated?: boolean): Promise<void> {
      const { userId, userName: name } = caller.principal;
      const ending = { id, keepCreated, missing: 'You have no such token' };
      return database.transaction((tx) => end(tx, caller, { id: userId, name }, ending));
    },

    /** Revokes leaked tokens, given in clear, and the tokens that they made; does not reveal which of them existed. */
    revokeCredentials: (visitor: Visitor, credentials: readonly string[]) =>
      database.transaction(async (tx) => {
        const hashes = credentials.map(sha256);
        const leaked = [...(await tokensWithHashes(tx, hashes)), ...(await tokensBehind(tx, hashes))];
        await lockHolders(tx, leaked);
        const made: string[] = [];
        for (const id of leaked) made.push(...(await tokensMadeBy(tx, id)));
        const deleted = await deleteTokensById(tx, [...new Set([...leaked, ...made])]);
        const userIds = [...new Set(deleted.map(({ user_id }) => user_id))];
        const holders = await findAccountsById(tx, userIds);
        for (const { id, name } of holders.values()) {
          const message = `Revoked a leaked access token of ${name}`;
          await recordForSite(audit, tx, anybodyAt(visitor), {
            type: 'token.leaked',
            message,
            data: { user: { _id: id, user: name } },
          });
        }
        afterCommit(tx, () => callers.send(userIds));
      }),
  };
}

interface Ending {
  readonly id: string;
  readonly keepCreated: boolean | undefined;
  /** Says that there is no such token. */
  readonly missing: string;
}

interface Holder {
  readonly id: string;
  readonly name: string;
}

/** Returns what the audit log says about a token. */
export const auditedToken = ({ id, name }: Holder, { id: tokenId, display_name, role, last4 }: TokenRow) => ({
  user: { _id: id, user: name },
  token: { id: tokenId, name: display_name, role, last4 },
});

function presentToken(row: TokenRow & { last_used_at: number | null; made_by: string | null }) {
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
    ...(row.made_by !== null && { createdBy: row.made_by }),
  };
}
