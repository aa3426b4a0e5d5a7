import { randomInt } from 'node:crypto';
import { LinkPurpose } from '@moonbase/contract/sign-in/links';
import { findAccount, lockAccountNamed, requireEnabledUser } from '../../accounts/index.ts';
import { type AuditLog, operatorWith, recordForSite } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import { signInTopic } from '../events.ts';
import { spendLinksOf } from '../links/link-store.ts';
import type { PasswordHashing } from '../passwords/hashing.ts';
import { putPassword } from '../passwords/password-store.ts';
import { createPasswords } from '../passwords/service.ts';
import { deleteFactors } from '../second-factor/factor-store.ts';
import { deleteSessionsOf } from '../sessions/session-store.ts';
import { createWays, type SignInWay } from '../ways.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly hashing: PasswordHashing;
  readonly settings: { readonly passwordMin: number; readonly signInWays: readonly SignInWay[] };
}

interface Options {
  /** Whether to remove the second factor of the user as well. */
  readonly withoutSecondFactor?: boolean | undefined;
}

/** A password in clear, which is shown only once. */
export interface OperatorReset {
  readonly user: string;
  readonly password: string;
  readonly endedSessions: number;
}

/** Letters and digits that nobody confuses when reading them aloud. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** 139 bits. */
const LENGTH = 24;

const newPassword = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/**
 * Creates the function that gives a user a new password, for an operator with access to the database. All sessions and
 * links of the user end; a mail informs the user. Throws 404 for an unknown user, 409 for a disabled one, and 403 if the
 * user must not have a password.
 */
export function createOperatorReset({ database, clock, events, audit, hashing, settings }: Dependencies) {
  const passwords = createPasswords({ min: settings.passwordMin, hashing });
  const ways = createWays(settings.signInWays);
  return async (name: string, { withoutSecondFactor = false }: Options = {}): Promise<OperatorReset> => {
    const known = requireEnabledUser(await findAccount(database.read, name), name);
    ways.requirePasswordOf(known);
    const password = newPassword(Math.max(LENGTH, passwords.min));
    passwords.check(password, known);
    const hash = await passwords.hash(password);
    return database.transaction(async (tx) => {
      const user = requireEnabledUser(await lockAccountNamed(tx, name), name);
      const now = clock.now();
      await spendLinksOf(tx, user.id, LinkPurpose.options, now);
      await putPassword(tx, { user_id: user.id, hash, changed_at: now });
      if (withoutSecondFactor) await deleteFactors(tx, user.id);
      const endedSessions = await deleteSessionsOf(tx, user.id);
      await events.record(tx, signInTopic, { action: 'password-changed', userId: user.id, by: 'operator' });
      const message = `Gave ${user.name} a new password${withoutSecondFactor ? ' and removed the second factor' : ''}`;
      const data = { user: { _id: user.id, user: user.name }, withoutSecondFactor, endedSessions };
      await recordForSite(audit, tx, operatorWith('moonbase admin reset-password'), {
        ...{ type: 'user.password', message, data },
      });
      return { user: user.name, password, endedSessions };
    });
  };
}
