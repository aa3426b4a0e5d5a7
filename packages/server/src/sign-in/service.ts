import { type Account, findAccountById, findTokenByHash, findUserToSignIn } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import { createSemaphore } from '../platform/concurrency/semaphore.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Visitor } from '../platform/http/authenticate.ts';
import { unauthorized } from '../platform/http/errors.ts';
import type { AuthenticationLog } from '../platform/logging/authentication-log.ts';
import { sha256 } from '../platform/secrets.ts';
import { signInTopic } from './events.ts';
import type { OpenSession } from './opening.ts';
import { isOutdated, MAX_WAITING, tooBusy } from './passwords/hashing.ts';
import { findPassword, rehashPassword } from './passwords/password-store.ts';
import type { Passwords } from './passwords/service.ts';
import type { SecondStep } from './second-factor/second-step.ts';
import type { BegunSession, ProviderSession, Sessions } from './sessions/service.ts';
import type { SignedInUser } from './signed-in-user.ts';
import { NAME } from './throttle/policy.ts';
import type { Attempt, Throttle } from './throttle/throttle.ts';
import type { SignInTrail } from './trail/service.ts';
import type { Ways } from './ways.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly throttle: Throttle;
  readonly open: OpenSession;
  readonly secondStep: SecondStep;
  readonly ways: Ways;
  readonly trail: SignInTrail;
  readonly log: AuthenticationLog;
}

interface ProvidedSession {
  readonly userId: string;
  readonly userName: string;
  readonly provider: ProviderSession;
  /** When the person proved their identity, in epoch milliseconds. */
  readonly strongAt: number;
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Enough to keep the hashing threads busy; a crowd that signs in at once waits before it asks the database. */
const ATTEMPTS_AT_ONCE = 4;

const refused = () => unauthorized('The name or the password is incorrect');

/**
 * Signing in with a password, a provider or a token. For unknown, disabled and passwordless users, the response and its
 * time are the same.
 */
export function createSignIn({
  database,
  clock,
  events,
  passwords,
  sessions,
  throttle,
  open,
  secondStep,
  ways,
  trail,
  log,
}: Dependencies) {
  /** Records, once a day, an event which warns the owner of a name that somebody guesses the password. */
  async function warnOwner(userId: string, attempts: number): Promise<void> {
    if (attempts !== NAME.warnAt) return;
    await database.transaction((tx) => events.record(tx, signInTopic, { action: 'guessed', userId, attempts }));
  }

  /**
   * Counts and records a failed attempt, in one transaction. Returns how many with the name, from any address,
   * failed in its current window.
   */
  const noteFailure = (visitor: Visitor, attempt: Attempt, user: Account | undefined, fault = 'no password') =>
    database.transaction(async (tx) => {
      const refusal = user === undefined ? 'unknown name' : fault;
      const { id: userId, name: userName } = user ?? {};
      await trail.record(tx, visitor, { userId, userName, method: 'password', refusal });
      return throttle.countFailed(tx, attempt);
    });

  const inTurn = createSemaphore({ atOnce: ATTEMPTS_AT_ONCE, maxWaiting: MAX_WAITING, refuse: tooBusy });

  async function signIn(
    visitor: Visitor,
    { name, password }: { readonly name: string; readonly password: string },
  ): Promise<SignedInUser> {
    const key = name.trim().toLowerCase();
    const attempt = { key, address: visitor.address, requestId: visitor.requestId };
    await throttle.requireOpen(attempt);
    const user = await findUserToSignIn(database.read, key);
    const stored = await findPassword(database.read, user?.id ?? '');
    const isRight = await passwords.matches(stored?.hash, password);
    if (!user || !stored || !isRight) {
      const attempts = await noteFailure(visitor, attempt, user, stored ? 'wrong password' : undefined);
      if (user && stored) await warnOwner(user.id, attempts);
      throw refused();
    }
    const rehashed = isOutdated(stored.hash) ? await passwords.hash(password) : undefined;
    return database.transaction(async (tx) => {
      // The password may have changed, or the user may have been disabled, while the password was compared.
      const now = await findUserToSignIn(tx, key);
      if (now?.id !== user.id || (await findPassword(tx, user.id))?.hash !== stored.hash) throw refused();
      if (rehashed !== undefined) await rehashPassword(tx, stored, rehashed);
      await throttle.succeeded(tx, attempt);
      const step = await secondStep.needed(tx, now, 'password');
      return step
        ? { user, step }
        : { user, session: await open(tx, visitor, { userId: user.id, userName: user.name, method: 'password' }) };
    });
  }

  return {
    async withPassword(
      visitor: Visitor,
      credentials: { readonly name: string; readonly password: string },
    ): Promise<SignedInUser> {
      ways.require('password');
      return inTurn(() => signIn(visitor, credentials));
    },

    /** Begins the session of a user identified by an OpenID provider, in the transaction that found the user. */
    withProvider: (tx: Executor, visitor: Visitor, begun: ProvidedSession): Promise<BegunSession> =>
      open(tx, visitor, { ...begun, method: 'oidc' }),

    /** Begins a session that acts with an access token and ends with the token; returns undefined for an unknown token. */
    async withToken(visitor: Visitor, text: string): Promise<SignedInUser | undefined> {
      ways.require('token');
      return database.transaction(async (tx) => {
        const token = await findTokenByHash(tx, sha256(text));
        const user = token && (await findAccountById(tx, token.user_id));
        const endsAt = token?.expires_at ?? Number.POSITIVE_INFINITY;
        if (!user || user.disabled_at !== null || endsAt <= clock.now()) {
          log.refused(visitor, { method: 'token', reason: 'unknown, expired or revoked' });
          return undefined;
        }
        const begun = { userId: user.id, method: 'token', tokenId: token.id, endsAt } as const;
        await trail.record(tx, visitor, { userId: user.id, userName: user.name, method: 'token' });
        return { user, session: await sessions.begin(tx, visitor, begun) };
      });
    },
  };
}
