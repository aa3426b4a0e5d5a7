import type { Account } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Visitor } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { isKnownBrowser } from '../browsers/browsers.ts';
import { secondFactorTopic } from '../events.ts';
import type { SecondFactorRow } from '../tables.ts';
import type { Throttle } from '../throttle/throttle.ts';
import type { SignInTrail } from '../trail/service.ts';
import { takeStep } from './factor-store.ts';
import { recoveryHash } from './recovery-codes.ts';
import { countRecoveryCodes, spendRecoveryCode } from './recovery-store.ts';
import { secretAt } from './sealed-secret.ts';
import { matchingStep, typedCode } from './totp.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly events: Events;
  readonly secretBox: SecretBox;
  readonly throttle: Throttle;
  readonly trail: SignInTrail;
}

/** A code that a user has typed, for the user's second factor. */
interface TypedCode {
  readonly user: Pick<Account, 'id' | 'name'>;
  readonly factor: SecondFactorRow;
  readonly code: string;
}

/** The number of wrong codes in a day after which the hub warns the owner that somebody else has the password. */
const WARN_AT = 10;
/** The number of wrong codes in a day after which a new browser needs a recovery code, which cannot be guessed. */
const MAX_FROM_ANYWHERE = 100;

export type FactorCheck = ReturnType<typeof createFactorCheck>;

/** Checks typed codes: of an authenticator, or recovery codes; each is valid once. */
export function createFactorCheck({ clock, events, secretBox, throttle, trail }: Dependencies) {
  /** Uses up a code if it is right; returns whether it was. */
  async function redeemCode(tx: Executor, visitor: Visitor, factor: SecondFactorRow, text: string): Promise<boolean> {
    const { id, user_id: userId } = factor;
    const code = typedCode(text);
    if (code !== undefined) {
      const secret = secretBox.open(factor.sealed, secretAt(id));
      const step = matchingStep(Buffer.from(secret, 'base64'), code, { now: clock.now(), after: factor.last_step });
      return step !== undefined && (await takeStep(tx, id, step));
    }
    if (!(await spendRecoveryCode(tx, userId, recoveryHash(userId, text), clock.now()))) return false;
    const left = await countRecoveryCodes(tx, userId);
    await events.record(tx, secondFactorTopic, { action: 'recovery-code', userId, left, address: visitor.address });
    return true;
  }

  /**
   * Returns whether a code is right. A wrong code is counted in the transaction of the caller, which must have locked
   * the account, so that codes are tried one at a time, and must commit. Throws 429 if the user has to wait.
   */
  return async (tx: Executor, visitor: Visitor, { user, factor, code }: TypedCode): Promise<boolean> => {
    const { id: userId, name: userName } = user;
    const { address, requestId } = visitor;
    const attempt = { key: `second factor of ${userId}`, address, requestId };
    await throttle.requireOpen(attempt, tx);
    if (typedCode(code) !== undefined && (await throttle.recentFailures(tx, attempt.key)) >= MAX_FROM_ANYWHERE)
      if (!(await isKnownBrowser(tx, visitor, userId)))
        throw new HubError(429, 'Too many wrong codes today: use a recovery code, or a browser that you used before');
    if (await redeemCode(tx, visitor, factor, code)) {
      await throttle.succeeded(tx, attempt);
      return true;
    }
    const refusal = 'wrong code of the second factor';
    await trail.record(tx, visitor, { userId, userName, method: 'password', refusal });
    const attempts = await throttle.countFailed(tx, attempt);
    if (attempts === WARN_AT) await events.record(tx, secondFactorTopic, { action: 'guessed', userId, attempts });
    return false;
  };
}
