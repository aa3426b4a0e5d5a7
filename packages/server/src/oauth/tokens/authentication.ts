import { type CutOffRules, principalToken, recordTokenUse } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { sha256 } from '../../platform/secrets.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { nameOfApp } from '../apps/app.ts';
import { OAUTH_PREFIX } from './issuing.ts';
import { callerByOauthToken, recordFirstUse } from './token-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** The rules of organizations about tokens. */
  readonly cutOffs: CutOffRules;
}

/** Returns whether a text has the form of an application's access token. */
export const isOauthToken = (text: string): boolean => text.startsWith(OAUTH_PREFIX);

/** Creates the function that returns the principal of an application's access token. */
export function createOauthAuthentication({ database, clock, cutOffs }: Dependencies) {
  const findCaller = callerByOauthToken(cutOffs.column);
  return async (text: string): Promise<Principal | undefined> => {
    const [row] = await findCaller(database.read, { hash: sha256(text), now: clock.now() });
    if (!row) return undefined;
    if (row.usedAt === null) await database.transaction((tx) => recordFirstUse(tx, row, clock.now()));
    await recordTokenUse(database, clock, row);
    const { last4: _, ...token } = principalToken(row, cutOffs);
    return {
      userId: row.userId,
      userName: row.userName,
      siteAdmin: row.siteAdmin === 1,
      token: {
        ...token,
        oauth: {
          clientId: row.clientId,
          name: nameOfApp(row.clientId, row.appName),
          scopes: parseJson(row.scopes),
          picked: parseJson(row.orgIds),
        },
      },
    };
  };
}
