import type { RouteInput } from '@moonbase/contract/route';
import type { listOwnSignIns, listSignIns, SignInEntry } from '@moonbase/contract/sign-in/sessions';
import { findAccount, requireUser } from '../../accounts/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import { afterCommit, type Database, type Executor } from '../../platform/database/transaction.ts';
import type { Principal, Visitor } from '../../platform/http/authenticate.ts';
import { idFromCursor, type PageOf, pageFrom } from '../../platform/http/pagination.ts';
import { storedUserAgent } from '../../platform/http/user-agent.ts';
import type { Ids } from '../../platform/ids.ts';
import type { AuthenticationLog } from '../../platform/logging/authentication-log.ts';
import type { SessionMethod } from '../tables.ts';
import { insertSignInEvent, signInEvents } from './trail-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: AuthenticationLog;
}

/** A sign-in or a refused attempt to record. */
export interface NewSignInEvent {
  /** Undefined if the attempt names no user of the hub. */
  readonly userId?: string | undefined;
  /** The name of that user, for the log. */
  readonly userName?: string | undefined;
  readonly method: SessionMethod;
  /** The OpenID provider: `hub`, or the id of an organization. */
  readonly provider?: string | undefined;
  /** Why the attempt was refused, without any text that the person sent; undefined: the person is signed in. */
  readonly refusal?: string | undefined;
}

type PageRequest = RouteInput<typeof listOwnSignIns>['query'];

const MAX_REASON = 300;

export type SignInTrail = ReturnType<typeof createSignInTrail>;

/** The trail of sign-ins: who signed in or was refused, from where and how. */
export function createSignInTrail({ database, clock, ids, log }: Dependencies) {
  async function pageOf(userId: string | undefined, { outcome, cursor, limit }: PageRequest) {
    const filter = { userId, outcome, before: idFromCursor(cursor) };
    const { items, next } = pageFrom(await signInEvents(database.read, filter, limit + 1), limit, ({ id }) => id);
    return { items: items.map(present), next };
  }

  return {
    /** Records a sign-in in the transaction that decides about it, and tells the log after its commit. */
    record(tx: Executor, visitor: Visitor, event: NewSignInEvent): Promise<void> {
      const { address, userAgent } = visitor;
      const { method, userId, userName: user, refusal: reason } = event;
      afterCommit(tx, () => {
        if (reason === undefined) log.accepted(visitor, { method, user, userId });
        else log.refused(visitor, { method, reason, user, userId });
      });
      return insertSignInEvent(tx, {
        id: ids(),
        at: clock.now(),
        user_id: event.userId ?? null,
        outcome: event.refusal === undefined ? 'ok' : 'refused',
        method: event.method,
        provider: event.provider ?? null,
        reason: event.refusal?.slice(0, MAX_REASON) ?? null,
        address,
        user_agent: storedUserAgent(userAgent),
      });
    },

    /** Returns the sign-ins of a user or of everybody. Throws 404 for an unknown user. */
    async list({ user, ...page }: RouteInput<typeof listSignIns>['query']): Promise<PageOf<SignInEntry>> {
      const { read } = database;
      return pageOf(user === undefined ? undefined : requireUser(await findAccount(read, user), user).id, page);
    },

    /** Returns the sign-ins of the caller, and the attempts of others that named the caller. */
    listOwn: ({ userId }: Principal, page: PageRequest): Promise<PageOf<SignInEntry>> => pageOf(userId, page),
  };
}

const present = (row: Awaited<ReturnType<typeof signInEvents>>[number]): SignInEntry => ({
  id: row.id,
  at: timestamp(row.at),
  outcome: row.outcome,
  method: row.method,
  ...(row.userName !== null && { user: row.userName }),
  ...(row.organizationName !== null && { organization: row.organizationName }),
  ...(row.reason !== null && { reason: row.reason }),
  address: row.address,
  ...(row.user_agent !== null && { userAgent: row.user_agent }),
});
