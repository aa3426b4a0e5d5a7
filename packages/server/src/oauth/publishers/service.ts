import { randomBytes } from 'node:crypto';
import type { NewTrustedPublisher, TrustedPublisher } from '@moonbase/contract/oauth/trusted-publishers';
import { type Accounts, deleteToken, lockAccount, type TokenRow } from '../../accounts/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import { afterCommit, type Database, type Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../../platform/http/errors.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import { parseJson, toJson } from '../../platform/stored-form.ts';
import { requireRecentSignIn, requireSession } from '../consent-rules.ts';
import type { PublisherRow } from '../tables.ts';
import { httpsFault } from './https-fault.ts';
import { findPublisher, insertPublisher, publishersOf } from './publisher-store.ts';
import { requireResource, resourceNames } from './reach.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly callers: Signals;
  /** Whether issuers may run on this machine, using http. */
  readonly mayReachThisMachine: boolean;
  readonly onTokenCreated: (tx: Executor, caller: Caller, token: TokenRow) => Promise<void>;
}

const MAX_PUBLISHERS = 100;

export type Publishers = ReturnType<typeof createPublishers>;

/** The programs that a user trusts to change a repository, or to read the content of an account. */
export function createPublishers(given: Dependencies) {
  const { database, clock, accounts, callers, mayReachThisMachine, onTokenCreated } = given;
  return {
    async list({ principal }: Caller): Promise<TrustedPublisher[]> {
      const rows = await publishersOf(database.read, principal.userId);
      const names = await resourceNames(
        database.read,
        principal,
        rows.map((row) => row.resource_id),
      );
      return rows.map((row) => present(row, names.get(row.resource_id)));
    },

    /** Throws 400 for a resource that the caller may not change, or an issuer that the hub cannot reach. */
    async create(caller: Caller, { resource, issuer, claims }: NewTrustedPublisher): Promise<TrustedPublisher> {
      requireSession(caller);
      requireRecentSignIn(caller, clock.now());
      const fault = httpsFault(issuer, mayReachThisMachine);
      if (fault !== undefined) throw badRequest(`body.issuer: ${fault}`);
      const { userId } = caller.principal;
      return database.transaction(async (tx) => {
        const { id: resourceId, name, fineGrained } = await requireResource(tx, caller.principal, resource);
        await lockAccount(tx, userId);
        if ((await publishersOf(tx, userId)).length >= MAX_PUBLISHERS)
          throw conflict(
            `You have ${MAX_PUBLISHERS} trusted publishers, which is the limit; delete one that nobody uses`,
          );
        const { row: token } = await accounts.issueToken(tx, {
          userId,
          displayName: `Trusted publisher of ${name} (${randomBytes(6).toString('hex')})`,
          role: 'fineGrained',
          fineGrained,
          withoutText: true,
        });
        const row: PublisherRow = {
          ...{ id: token.id, user_id: userId, resource_id: resourceId, issuer, claims: toJson(claims) },
          ...{ created_at: clock.now(), used_at: null },
        };
        await insertPublisher(tx, row);
        await onTokenCreated(tx, caller, token);
        return present(row, name);
      });
    },

    delete: ({ principal: { userId } }: Caller, id: string): Promise<void> =>
      database.transaction(async (tx) => {
        if (!(await findPublisher(tx, userId, id))) throw notFound('You have no such trusted publisher');
        await deleteToken(tx, id);
        afterCommit(tx, () => callers.send([userId]));
      }),
  };
}

const present = (row: PublisherRow, resource: string | undefined): TrustedPublisher => ({
  id: row.id,
  resource: resource ?? null,
  issuer: row.issuer,
  claims: { ...parseJson(row.claims) },
  createdAt: timestamp(row.created_at),
  ...(row.used_at !== null && { usedAt: timestamp(row.used_at) }),
});
