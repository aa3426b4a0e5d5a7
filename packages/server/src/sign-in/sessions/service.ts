import { randomBytes } from 'node:crypto';
import type { Session } from '@moonbase/contract/sign-in/sessions';
import { type CutOffRules, findAccount, principalToken, requireUser } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Caller, Principal, Visitor } from '../../platform/http/authenticate.ts';
import { storedUserAgent } from '../../platform/http/user-agent.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { SessionMethod, SessionRow } from '../tables.ts';
import { createEnding } from './ending.ts';
import {
  type CallerRow,
  callerBySession,
  callerBySessionId,
  insertSession,
  sessionsOf,
  touchSession,
} from './session-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditLog;
  /** How long a session lasts without use, and in total. */
  readonly limits: { readonly idleMs: number; readonly maxMs: number };
  /** The rules of organizations about tokens. */
  readonly cutOffs: CutOffRules;
  /** Makes open streams of a user look their caller up again. */
  readonly callers: Signals;
}

/** The minimum interval between two updates of `seenAt`, which limits the writes that a busy session causes. */
const MIN_USE_INTERVAL_MS = 60_000;

interface NewSession {
  readonly userId: string;
  /** For the log. */
  readonly userName?: string;
  readonly method: SessionMethod;
  /** The access token that the session acts with. */
  readonly tokenId?: string;
  /** The latest end of the session, in epoch milliseconds. */
  readonly endsAt?: number;
  /** When the person proved their identity, in epoch milliseconds; absent: now. */
  readonly strongAt?: number;
  /** The session at the OpenID provider that identified the user. */
  readonly provider?: ProviderSession;
}

/** A person and a session, as an OpenID provider identifies them. */
export interface ProviderSession {
  readonly key: string;
  readonly subject: string;
  readonly session: string | undefined;
}

/** A new session, with the secret for the cookie. */
export interface BegunSession {
  readonly id: string;
  readonly secret: string;
  readonly expiresAt: number;
}

export type Sessions = ReturnType<typeof createSessions>;

/** The sessions of people who are signed in with a browser. */
export function createSessions({ database, clock, ids, audit, limits, cutOffs, callers }: Dependencies) {
  const findCaller = callerBySession(cutOffs.column);
  const findCallerById = callerBySessionId(cutOffs.column);
  const live = () => ({ now: clock.now(), seenAfter: clock.now() - limits.idleMs });

  function principalOf(row: CallerRow): Principal | undefined {
    const session = { id: row.id, strongAt: row.strongAt, expiresAt: row.endsAt };
    const who = { userId: row.userId, userName: row.userName, siteAdmin: row.siteAdmin === 1 };
    const { tokenId, role, last4 } = row;
    if (tokenId === null) return { ...who, session, token: { id: row.id, role: 'write' } };
    // A session of a token is deleted with the token, so both columns are present.
    if (role === null || last4 === null) return undefined;
    return { ...who, session, token: principalToken({ ...row, id: tokenId, role, last4 }, cutOffs) };
  }

  async function sessionList(userId: string, currentId?: string): Promise<Session[]> {
    const rows = await sessionsOf(database.read, userId, live());
    return rows.map((row) => present(row, currentId));
  }

  return {
    /** Begins a session, always with a new secret, in the transaction that authenticated the user. */
    async begin(
      tx: Executor,
      visitor: Visitor,
      { userId, method, tokenId, endsAt = Number.POSITIVE_INFINITY, strongAt, provider }: NewSession,
    ): Promise<BegunSession> {
      const secret = randomBytes(32).toString('base64url');
      const id = ids();
      const now = clock.now();
      const expiresAt = Math.min(now + limits.maxMs, endsAt);
      await insertSession(tx, {
        id,
        hash: sha256(secret),
        user_id: userId,
        method,
        token_id: tokenId ?? null,
        created_at: now,
        seen_at: now,
        strong_at: strongAt ?? now,
        expires_at: expiresAt,
        address: visitor.address,
        user_agent: storedUserAgent(visitor.userAgent),
        provider: provider?.key ?? null,
        provider_subject: provider?.subject ?? null,
        provider_session: provider?.session ?? null,
      });
      return { id, secret, expiresAt };
    },

    /** Returns the principal of a session by the secret of its cookie. */
    async authenticate(secret: string): Promise<Principal | undefined> {
      const [row] = await findCaller(database.read, { hash: sha256(secret), ...live() });
      if (!row) return undefined;
      const stale = clock.now() - MIN_USE_INTERVAL_MS;
      if (row.seenAt <= stale) await database.transaction((tx) => touchSession(tx, row.id, clock.now(), stale));
      return principalOf(row);
    },

    /** Returns the principal of a session by its id, which is no use of the session. */
    async principalOf(id: string): Promise<Principal | undefined> {
      const [row] = await findCallerById(database.read, { id, ...live() });
      return row && principalOf(row);
    },

    list: ({ principal }: Caller): Promise<Session[]> => sessionList(principal.userId, principal.session?.id),

    listOf: async (name: string): Promise<Session[]> =>
      sessionList(requireUser(await findAccount(database.read, name), name).id),

    ...createEnding({ database, audit, callers }),
  };
}

const present = (row: SessionRow, currentId: string | undefined): Session => ({
  id: row.id,
  current: row.id === currentId,
  method: row.method,
  createdAt: timestamp(row.created_at),
  seenAt: timestamp(row.seen_at),
  expiresAt: timestamp(row.expires_at),
  address: row.address,
  ...(row.user_agent !== null && { userAgent: row.user_agent }),
});
