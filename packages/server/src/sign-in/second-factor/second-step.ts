import type { NewSecondFactor } from '@moonbase/contract/sign-in/second-factors';
import { SESSION_METHODS } from '@moonbase/contract/sign-in/sessions';
import * as z from 'zod';
import { type Account, findAccountById, lockAccount } from '../../accounts/index.ts';
import { type AuditLog, recordForSite, userAt } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Visitor } from '../../platform/http/authenticate.ts';
import { conflict, HubError, unauthorized } from '../../platform/http/errors.ts';
import type { SealedAt, SecretBox } from '../../platform/secrets.ts';
import { readStored } from '../../platform/stored-form.ts';
import { secondFactorTopic } from '../events.ts';
import type { OpenSession } from '../opening.ts';
import { findPassword } from '../passwords/password-store.ts';
import type { BegunSession, Sessions } from '../sessions/service.ts';
import type { SessionMethod } from '../tables.ts';
import type { FactorCheck } from './check.ts';
import { findFactor } from './factor-store.ts';
import { MESSAGES } from './messages.ts';
import type { FactorSetUp } from './set-up.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly sessions: Sessions;
  readonly check: FactorCheck;
  readonly setUp: FactorSetUp;
  /** Returns whether a user must have a second factor. */
  readonly isFactorRequired: (user: Pick<Account, 'site_admin'>) => boolean;
  /** Begins the session of a fully authenticated user. */
  readonly open: OpenSession;
}

/** A successful first step, with the content of the cookie that bridges the steps. */
export interface BegunStep {
  readonly text: string;
  readonly expiresAt: number;
  /** Whether the user has no second factor yet and must set one up before the session begins. */
  readonly setUp?: true;
}

/** A successful second step. */
interface FinishedStep {
  readonly user: Account;
  readonly session: BegunSession;
  /** The recovery codes of a second factor that was set up in this step. */
  readonly recoveryCodes: readonly string[] | undefined;
}

/** How long the second step may take. */
export const STEP_LIFETIME_MS = 10 * 60_000;
/** The location to which the cookie is sealed, in place of a row. */
const COOKIE: SealedAt = { table: 'cookies', column: 'second step', id: '' };

/** Who took the first step, how and when. */
const Step = z.object({ userId: z.string(), method: z.enum(SESSION_METHODS), at: z.int() });
type Step = z.infer<typeof Step>;

const startAgain = () =>
  new HubError(401, 'Signing in took too long, or the password has changed: start again', {
    code: 'SignInExpired',
    headers: { 'www-authenticate': 'Bearer' },
  });

export type SecondStep = ReturnType<typeof createSecondStep>;

/**
 * The second step of signing in. Nothing is stored between the steps: a sealed cookie holds who took the first step,
 * when and how. The cookie is not a session, and is useless without a code. A user who must have a second factor, but
 * has none, sets it up in the second step.
 */
export function createSecondStep(dependencies: Dependencies) {
  const { database, clock, events, audit, secretBox, sessions, check, setUp, isFactorRequired, open } = dependencies;
  function begin(userId: string, method: SessionMethod): BegunStep {
    const at = clock.now();
    const step: Step = { userId, method, at };
    return { text: secretBox.seal(JSON.stringify(step), COOKIE), expiresAt: at + STEP_LIFETIME_MS };
  }

  /** Opens a cookie. Throws 401 if the hub did not seal the cookie, or if it is too old. */
  function read(cookie: string | undefined): Step {
    let text: string;
    try {
      text = secretBox.open(cookie ?? '', COOKIE);
    } catch {
      throw startAgain();
    }
    const step = readStored(Step, JSON.parse(text), 'The cookie of a first step');
    if (clock.now() >= step.at + STEP_LIFETIME_MS) throw startAgain();
    return step;
  }

  /**
   * Returns the user who took the first step, with the account locked. Throws 401 if the first step is no longer valid.
   */
  async function requireStep(tx: Executor, { userId, at }: Step): Promise<Account> {
    await lockAccount(tx, userId);
    const user = await findAccountById(tx, userId);
    const password = await findPassword(tx, userId);
    if (!user || user.disabled_at !== null || (password !== undefined && password.changed_at > at)) throw startAgain();
    return user;
  }

  /** Confirms the second factor that a user has set up between the steps. Returns the recovery codes. */
  async function confirmNew(tx: Executor, visitor: Visitor, user: Account, code: string): Promise<string[]> {
    if (!isFactorRequired(user)) throw startAgain();
    const codes = await setUp.confirm(tx, user.id, code);
    await sessions.endAll(tx, user.id);
    await events.record(tx, secondFactorTopic, { action: 'on', userId: user.id });
    const entry = { type: 'user.second_factor', message: MESSAGES.on, data: { action: 'on' } } as const;
    await recordForSite(audit, tx, userAt(user, visitor), entry);
    return codes;
  }

  return {
    /**
     * Returns the step that a user still has to take; undefined for a user who neither has nor needs a second factor.
     */
    async needed(
      tx: Executor,
      user: Pick<Account, 'id' | 'site_admin'>,
      method: SessionMethod,
    ): Promise<BegunStep | undefined> {
      if (await findFactor(tx, user.id)) return begin(user.id, method);
      return isFactorRequired(user) ? { ...begin(user.id, method), setUp: true } : undefined;
    },

    /** Creates a secret for a user who took the first step and has no second factor yet. Throws 409 for other users. */
    async setUp({ hubUrl }: Visitor, cookie: string | undefined): Promise<NewSecondFactor> {
      const step = read(cookie);
      return database.transaction(async (tx) => {
        const user = await requireStep(tx, step);
        if (!isFactorRequired(user) || (await findFactor(tx, user.id)))
          throw conflict('There is no second factor to set up; the second step is a code');
        return setUp.begin(tx, user, hubUrl);
      });
    },

    /** Begins the session. Throws 401 for a wrong code or an invalid first step, 429 if the user has to wait. */
    async finish(visitor: Visitor, cookie: string | undefined, code: string): Promise<FinishedStep> {
      const step = read(cookie);
      const { userId, method } = step;
      // A wrong code must be counted, so the transaction commits and the error is thrown after it.
      const begun = await database.transaction(async (tx) => {
        const user = await requireStep(tx, step);
        const factor = await findFactor(tx, userId);
        if (factor && !(await check(tx, visitor, { user, factor, code }))) return undefined;
        const recoveryCodes = factor ? undefined : await confirmNew(tx, visitor, user, code);
        return { user, recoveryCodes, session: await open(tx, visitor, { userId, userName: user.name, method }) };
      });
      if (!begun) throw unauthorized('This code is wrong, or was used before');
      return begun;
    },
  };
}
