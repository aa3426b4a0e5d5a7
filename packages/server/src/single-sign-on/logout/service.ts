import { decodeJwt } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { badRequest } from '../../platform/http/errors.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { SignInParts } from '../../sign-in/index.ts';
import { isUnavailable, reasonOf, unavailable } from '../providers/failures.ts';
import { CLOCK_TOLERANCE_SECONDS, type Openid } from '../providers/openid.ts';
import type { Provider } from '../providers/provider.ts';
import { spendLogoutToken } from './logout-store.ts';
import { logoutIn } from './logout-token.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly openid: Openid;
  readonly sessions: SignInParts['sessions'];
  /** Returns the providers, of the hub and of organizations, that have the issuer. */
  readonly providersOf: (issuer: string) => Promise<readonly Provider[]>;
  readonly warn: (details: object, message: string) => void;
}

/** The maximum age of a logout token; providers send tokens at once, so an older one is a copy. */
const MAX_AGE_SECONDS = 10 * 60;
/** How long used tokens are remembered: as long as they could be accepted again. */
const RETENTION_MS = (MAX_AGE_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS) * 1000;

export type Logouts = ReturnType<typeof createLogouts>;

const notOne = () => badRequest('This is not a logout token of a sign-in provider of this hub');

/** Returns the issuer and the audience that a token claims, without verification. */
function unverifiedClaims(token: string): { readonly issuer: string; readonly audience: readonly string[] } {
  try {
    const { iss = '', aud = [] } = decodeJwt(token);
    return { issuer: iss, audience: [aud].flat() };
  } catch {
    throw notOne();
  }
}

/** OpenID Back-Channel Logout 1.0: a provider reports, in a signed token, whose sessions have ended. */
export function createLogouts({ database, clock, openid, sessions, providersOf, warn }: Dependencies) {
  return {
    /** Ends the sessions that a logout token names. Throws 400 for any other token, including used ones. */
    async logOut(token: string): Promise<void> {
      const { issuer, audience } = unverifiedClaims(token);
      const provider = (await providersOf(issuer)).find(({ clientId }) => audience.includes(clientId));
      if (!provider) throw notOne();
      const claims = await openid
        .verify(provider, token, { typ: 'logout+jwt', maxTokenAge: MAX_AGE_SECONDS })
        .catch((error: unknown) => {
          warn({ provider: provider.key, reason: reasonOf(error) }, 'a logout token was refused');
          throw isUnavailable(error) ? unavailable(provider.name) : notOne();
        });
      const logout = logoutIn(claims);
      if (!logout) throw notOne();
      await database.transaction(async (tx) => {
        const hash = sha256(JSON.stringify([provider.key, issuer, logout.id]));
        if (!(await spendLogoutToken(tx, hash, clock.now() + RETENTION_MS))) throw notOne();
        const { subject, session } = logout;
        await sessions.endFrom(tx, { provider: provider.key, subject, session });
      });
    },
  };
}
