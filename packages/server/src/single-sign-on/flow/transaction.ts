import { parseCookie, stringifySetCookie } from 'cookie';
import { z } from 'zod';
import { cookieName } from '../../platform/http/session-cookie.ts';
import { type SealedAt, type SecretBox, sha256 } from '../../platform/secrets.ts';

/** How long a person has for signing in at the provider. */
export const LASTS_MS = 10 * 60 * 1000;
/** Sign-ins that one browser has begun, in as many tabs; the ones before are forgotten. */
const MAX_BEGUN = 5;

const Transaction = z.object({
  /** The key of the provider. */
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  /** The page to go on to, as the sign-in page asked for it. */
  returnTo: z.string(),
  /** Whether the provider was asked to have the person sign in anew. */
  again: z.boolean(),
  /** The session whose user the identity is to be linked to. */
  linkTo: z.string().optional(),
  begunAt: z.number(),
});
/** A sign-in that a browser has begun, and that it alone can finish. */
export type Transaction = z.infer<typeof Transaction>;

const prefixOf = (baseUrl: string): string => `${cookieName(baseUrl)}-oidc-`;
const idOf = (state: string): string => sha256(state).slice(0, 16);
const placeOf = (state: string): SealedAt => ({ table: 'cookies', column: 'oidc', id: idOf(state) });

/** The cookies of sign-ins: sealed, one for each, so that tabs do not disturb each other. */
export function createTransactions({ secretBox }: { readonly secretBox: SecretBox }) {
  const cookie = (baseUrl: string, name: string, value: string, maxAge: number): string =>
    stringifySetCookie({
      ...{ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'lax' },
      secure: baseUrl.startsWith('https:'),
    });

  return {
    /** Returns the `Set-Cookie` headers that begin a sign-in. */
    begin(baseUrl: string, header: string | undefined, transaction: Transaction): string[] {
      const { state } = transaction;
      const begun = Object.keys(parseCookie(header ?? '')).filter((name) => name.startsWith(prefixOf(baseUrl)));
      const value = secretBox.seal(JSON.stringify(transaction), placeOf(state));
      return [
        cookie(baseUrl, prefixOf(baseUrl) + idOf(state), value, LASTS_MS / 1000),
        ...begun.slice(0, Math.max(0, begun.length - MAX_BEGUN + 1)).map((name) => cookie(baseUrl, name, '', 0)),
      ];
    },

    /** Returns the sign-in that this browser has begun under a state, unless its time is over. */
    find(baseUrl: string, header: string | undefined, state: string, now: number): Transaction | undefined {
      const sealed = parseCookie(header ?? '')[prefixOf(baseUrl) + idOf(state)];
      if (!sealed) return undefined;
      try {
        const found = Transaction.parse(JSON.parse(secretBox.open(sealed, placeOf(state))));
        return found.state === state && found.begunAt + LASTS_MS > now && found.begunAt <= now ? found : undefined;
      } catch {
        return undefined;
      }
    },

    /** Returns the `Set-Cookie` header after which a sign-in is over. */
    end: (baseUrl: string, state: string): string => cookie(baseUrl, prefixOf(baseUrl) + idOf(state), '', 0),
  };
}
