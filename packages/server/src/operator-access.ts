import { cutOffFrom, cutOffs } from './access/index.ts';
import { createAccounts } from './accounts/index.ts';
import { createAuditLog } from './audit-log/index.ts';
import type { Config } from './config.ts';
import { openBesideHub } from './infrastructure.ts';
import { createMemberTokens } from './members/index.ts';
import { systemClock } from './platform/clock.ts';
import type { Database } from './platform/database/transaction.ts';
import { createEvents } from './platform/events/events.ts';
import { HubError } from './platform/http/errors.ts';
import { createIds } from './platform/ids.ts';
import {
  createOperatorReset,
  createOperatorTokens,
  createPasswordHashing,
  type OperatorReset,
  type OperatorToken,
  type PasswordHashing,
} from './sign-in/index.ts';

export type { OperatorReset, OperatorToken };

/*
 * What lets an operator with access to the database in again, whether the hub runs or not.
 */

interface WantedToken {
  readonly user: string;
  /** Undefined: a name with the time. */
  readonly name?: string | undefined;
  readonly role?: 'read' | 'write' | undefined;
  /** The lifetime in days; undefined: the token does not expire. */
  readonly days?: number | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes an access token for a user. Throws an error with a sentence if there is no such user who may have one. */
export const operatorToken = (
  config: Config,
  { user, name, role = 'write', days }: WantedToken,
): Promise<OperatorToken> =>
  besideHub(config, (database) => {
    const parts = createParts();
    const now = parts.clock.now();
    const memberTokens = createMemberTokens({ database, ...parts });
    const accounts = createAccounts({ database, ...parts, cutOffs: { column: cutOffs, read: cutOffFrom } });
    const create = createOperatorTokens({
      database,
      accounts,
      events: parts.events,
      audit: parts.audit,
      onTokenCreated: memberTokens.onTokenCreated,
    });
    return create({
      user,
      role,
      displayName: name ?? `by the operator, ${new Date(now).toISOString()}`,
      expiresAt: days === undefined ? undefined : now + days * DAY_MS,
    });
  });

/** Gives a user a new password. Throws an error with a sentence if there is no such user who may have one. */
export const resetPassword = (
  config: Config,
  user: string,
  options: { readonly withoutSecondFactor?: boolean | undefined } = {},
  hashing: PasswordHashing = createPasswordHashing(),
): Promise<OperatorReset> =>
  besideHub(config, async (database) => {
    try {
      const reset = createOperatorReset({ database, ...createParts(), hashing, settings: config });
      return await reset(user, options);
    } finally {
      await hashing.close();
    }
  });

/** Creates what changes need; nothing is nudged, because the workers of a running hub look by themselves. */
function createParts() {
  const clock = systemClock;
  const ids = createIds(clock);
  return {
    ...{ clock, ids, audit: createAuditLog({ clock, ids }) },
    events: createEvents({ clock, ids, nudge: () => {}, trace: () => undefined }),
  };
}

async function besideHub<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  await using database = await openBesideHub(config);
  try {
    return await work(database);
  } catch (error) {
    // A refusal, in the words of the API.
    if (error instanceof HubError) throw new Error(error.message);
    throw error;
  }
}
