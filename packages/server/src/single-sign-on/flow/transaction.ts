import { parseCookie, stringifySetCookie } from 'cookie';
import * as z from 'zod';
import { cookieName } from '../../platform/http/session-cookie.ts';
import { type SealedAt, type SecretBox, sha256 } from '../../platform/secrets.ts';

/** How long a person may take to sign in at the provider. */
export const LIFETIME_MS = 10 * 60 * 1000;
/** The maximum number of concurrent sign-ins of a browser, in several tabs; older ones are forgotten. */
const MAX_BEGUN = 5;

const Transaction = z.object({
  /** The key of the provider. */
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  /** The page to continue with, as the sign-in page requested. */
  returnTo: z.string(),
  /** Whether the provider was asked to make the person sign in again. */
  again: z.boolean(),
  /** The session whose user the identity will be linked to. */
  linkTo: z.string().optional(),
  begunAt: z.number(),
});
/** A sign-in that a browser began and that only this browser can finish. */
export type Transaction = z.infer<typeof Transaction>;

const prefixOf = (baseUrl: string): string => `${cookieName(baseUrl)}-oidc-`;
const idOf = (state: string): string => sha256(state).slice(0, 16);
const placeOf = (state: string): SealedAt => ({ table: 'cookies', column: 'oidc', id: idOf(state) });

/** The sealed cookies of sign-ins, one per sign-in, so that tabs do not interfere. */
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
        cookie(baseUrl, prefixOf(baseUrl) + idOf(state), value, LIFETIME_MS / 1000),
        ...begun.slice(0, Math.max(0, begun.length - MAX_BEGUN + 1)).map((name) => cookie(baseUrl, name, '', 0)),
      ];
    },

    /** Returns the sign-in that this browser began with a state; undefined if it took too long. */
    find(baseUrl: string, header: string | undefined, state: string, now: number): Transaction | undefined {
      const sealed = parseCookie(header ?? '')[prefixOf(baseUrl) + idOf(state)];
      if (!sealed) return undefined;
      try {
        const found = Transaction.parse(JSON.parse(secretBox.open(sealed, placeOf(state))));
        return found.state === state && found.begunAt + LIFETIME_MS > now && found.begunAt <= now ? found : undefined;
      } catch {
        return undefined;
      }
    },

    /** Returns the `Set-Cookie` header that deletes the cookie of a sign-in. */
    end: (baseUrl: string, state: string): string => cookie(baseUrl, prefixOf(baseUrl) + idOf(state), '', 0),
  };
}
