import { importJWK, SignJWT } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { GrantRow } from '../tables.ts';
import { claimsOf } from './claims.ts';
import { ALGORITHM, type Keys } from './keys.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly keys: Keys;
}

interface Subject {
  readonly grant: GrantRow;
  readonly clientId: string;
  readonly issuer: string;
  readonly nonce: string | null;
  /** When the user last proved their identity, in epoch milliseconds. */
  readonly authAt: number | null;
}

const LIFETIME_SECONDS = 60 * 60;

export type IdTokens = ReturnType<typeof createIdTokens>;

/** Signs id tokens. They include the profile claims, because some libraries read no others (I§1.8). */
export function createIdTokens({ database, clock, keys }: Dependencies) {
  return {
    async sign({ grant, clientId, issuer, nonce, authAt }: Subject): Promise<string> {
      const { sub, ...claims } = (await claimsOf(database.read, grant, issuer)) ?? { sub: grant.user_id };
      const { kid, jwk } = await keys.signing();
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({
        ...claims,
        ...(nonce !== null && { nonce }),
        ...(authAt !== null && { auth_time: Math.floor(authAt / 1000) }),
      })
        .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setSubject(sub)
        .setAudience(clientId)
        .setIssuedAt(now)
        .setExpirationTime(now + LIFETIME_SECONDS)
        .sign(await importJWK(jwk, ALGORITHM));
    },
  };
}
