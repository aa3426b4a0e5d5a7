import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import { type Caller, isSignedInUser, type Principal } from '../platform/http/authenticate.ts';
import { forbidden } from '../platform/http/errors.ts';
import type { AuthenticationLog } from '../platform/logging/authentication-log.ts';
import { findPassword } from './passwords/password-store.ts';
import type { Passwords } from './passwords/service.ts';
import { recentSignInNeeded, signedInRecently } from './recent-sign-in.ts';
import { findFactor } from './second-factor/factor-store.ts';
import type { Throttle } from './throttle/throttle.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly log: AuthenticationLog;
}

export type Proof = ReturnType<typeof createProof>;

/** The proof of identity that a change of sign-in data requires. */
export function createProof({ database, clock, passwords, throttle, log }: Dependencies) {
  /**
   * Returns the session of the caller. Throws 403 for access tokens and for sessions begun with one, which must not
   * extend their own rights.
   */
  function requireSession({ principal }: Caller): Session {
    const { session } = principal;
    if (session && isSignedInUser(principal)) return session;
    throw forbidden('Sign in with your password or your provider, or ask for a link, to change this');
  }

  /** Returns the session of the caller. Throws 403 unless the caller signed in recently. */
  function requireRecent(caller: Caller): Session {
    const session = requireSession(caller);
    if (!signedInRecently(caller.principal, clock.now())) throw recentSignInNeeded();
    return session;
  }

  return {
    requireSession,
    requireRecent,

    /**
     * Returns the session of the caller, who signed in recently or sends the current password; the password alone does
     * not suffice for a user with a second factor. Throws 403 otherwise.
     */
    async require(caller: Caller, current: string | undefined): Promise<Session> {
      const session = requireSession(caller);
      const { principal, address, requestId } = caller;
      const { userId, userName } = principal;
      if (current === undefined && signedInRecently(principal, clock.now())) return session;
      if (current === undefined) throw recentSignInNeeded(SIGN_IN_AGAIN);
      if (await findFactor(database.read, userId)) return requireRecent(caller);
      const attempt = { key: userName.toLowerCase(), address, requestId };
      await throttle.requireOpen(attempt);
      const stored = await findPassword(database.read, userId);
      if (await passwords.matches(stored?.hash, current)) return session;
      await throttle.failed(attempt);
      log.refused(caller, { method: 'password', reason: 'wrong current password', user: userName, userId });
      throw forbidden('The current password is incorrect');
    },
  };
}

const SIGN_IN_AGAIN =
  'You signed in a while ago: send your current password as `current`, or sign in again with your provider';

type Session = NonNullable<Principal['session']>;
