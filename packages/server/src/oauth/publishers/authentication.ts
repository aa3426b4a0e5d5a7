import { type CutOffRules, principalToken, recordTokenUse } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { sha256 } from '../../platform/secrets.ts';
import { PUBLISHER_PREFIX } from './exchange.ts';
import { callerByPublisherToken } from './publisher-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** The rules of organizations about tokens. */
  readonly cutOffs: CutOffRules;
}

/** Returns whether a text has the form of a publisher token. */
export const isPublisherToken = (text: string): boolean => text.startsWith(PUBLISHER_PREFIX);

/** Creates the function that returns the principal of a publisher token. */
export function createPublisherAuthentication({ database, clock, cutOffs }: Dependencies) {
  const findCaller = callerByPublisherToken(cutOffs.column);
  return async (text: string): Promise<Principal | undefined> => {
    const [row] = await findCaller(database.read, { hash: sha256(text), now: clock.now() });
    if (!row) return undefined;
    await recordTokenUse(database, clock, row);
    const { last4: _, ...token } = principalToken(row, cutOffs);
    const { userId, userName, siteAdmin } = row;
    return { userId, userName, siteAdmin: siteAdmin === 1, token };
  };
}
