import { findAccount, requireUser } from '../../accounts/index.ts';
import { type AuditLog, recordForSite } from '../../audit-log/index.ts';
import { afterCommit, type Database, type Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import { sha256 } from '../../platform/secrets.ts';
import {
  deleteSession,
  deleteSessionByHash,
  deleteSessionsFrom,
  deleteSessionsOf,
  type ProviderEnd,
} from './session-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly audit: AuditLog;
  /** Makes open streams of a user look their caller up again. */
  readonly callers: Signals;
}

interface Holder {
  readonly id: string;
  readonly name: string;
}

/** Ends sessions; what somebody asks for is recorded in the audit log of the hub. */
export function createEnding({ database, audit, callers }: Dependencies) {
  /** Ends all sessions of a user except one, in the transaction of the caller; returns the number of ended sessions. */
  async function endAll(tx: Executor, userId: string, except?: string): Promise<number> {
    const ended = await deleteSessionsOf(tx, userId, except);
    afterCommit(tx, () => callers.send([userId]));
    return ended;
  }

  const record = (tx: Executor, caller: Caller, { id, name }: Holder, ended: number): Promise<void> =>
    recordForSite(audit, tx, caller, {
      type: 'session.end',
      message: `Ended ${ended === 1 ? 'a session' : `${ended} sessions`} of ${name}`,
      data: { user: { _id: id, user: name }, ended },
    });

  async function endOne(
    tx: Executor,
    caller: Caller,
    user: Holder,
    { id, missing }: { readonly id: string; readonly missing: string },
  ): Promise<void> {
    if (!(await deleteSession(tx, user.id, id))) throw notFound(missing);
    await record(tx, caller, user, 1);
    afterCommit(tx, () => callers.send([user.id]));
  }

  /** Ends all sessions of a user except one, on request; returns the number of ended sessions. */
  async function endMany(tx: Executor, caller: Caller, user: Holder, except?: string): Promise<number> {
    const ended = await endAll(tx, user.id, except);
    if (ended > 0) await record(tx, caller, user, ended);
    return ended;
  }

  return {
    endAll,

    /** Ends a session of the caller. Throws 404 if the caller has no session with this id. */
    end: (caller: Caller, id: string): Promise<void> =>
      database.transaction((tx) => endOne(tx, caller, selfOf(caller), { id, missing: 'You have no such session' })),

    /** Ends a session of a user. Throws 404 if the user has no session with this id. */
    endOf: (caller: Caller, name: string, id: string): Promise<void> =>
      database.transaction(async (tx) => {
        const user = requireUser(await findAccount(tx, name), name);
        await endOne(tx, caller, user, { id, missing: `${user.name} has no such session` });
      }),

    endOthers: (caller: Caller): Promise<number> =>
      database.transaction((tx) => endMany(tx, caller, selfOf(caller), caller.principal.session?.id)),

    endAllOf: (caller: Caller, name: string): Promise<number> =>
      database.transaction(async (tx) => endMany(tx, caller, requireUser(await findAccount(tx, name), name))),

    /**
     * Ends the sessions that a provider began for a person or for one of its own sessions; returns the number of ended
     * sessions.
     */
    async endFrom(tx: Executor, from: ProviderEnd): Promise<number> {
      const userIds = await deleteSessionsFrom(tx, from);
      if (userIds.length > 0) afterCommit(tx, () => callers.send([...new Set(userIds)]));
      return userIds.length;
    },

    /** Ends the session of a cookie, if any. */
    async signOut(secret: string | undefined): Promise<void> {
      if (secret === undefined) return;
      await database.transaction(async (tx) => {
        const userId = await deleteSessionByHash(tx, sha256(secret));
        if (userId !== undefined) afterCommit(tx, () => callers.send([userId]));
      });
    },
  };
}

const selfOf = ({ principal: { userId, userName } }: Caller): Holder => ({ id: userId, name: userName });
