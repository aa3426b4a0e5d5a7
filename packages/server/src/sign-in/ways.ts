import type { Account } from '../accounts/index.ts';
import { forbidden } from '../platform/http/errors.ts';

/** How people sign in: with a password, an access token, or an OpenID provider. */
export type SignInWay = 'password' | 'token' | 'oidc';

const NAMES: Readonly<Record<SignInWay, string>> = {
  password: 'a password',
  token: 'an access token',
  oidc: 'an OpenID provider',
};

export type Ways = ReturnType<typeof createWays>;

/** The ways to sign in that the operator allows. */
export function createWays(ways: readonly SignInWay[]) {
  const has = (way: SignInWay): boolean => ways.includes(way);
  const refusal = (way: SignInWay) => forbidden(`This hub does not allow signing in with ${NAMES[way]}`);
  return {
    has,

    /** Throws 403 if the operator does not allow a way. */
    require(way: SignInWay): void {
      if (!has(way)) throw refusal(way);
    },

    /**
     * Throws 403 if a user must not have a password. Site administrators may always get one by a link, because nobody
     * else can help when the provider is gone.
     */
    requirePasswordOf({ site_admin: siteAdmin }: Pick<Account, 'site_admin'>): void {
      if (!has('password') && siteAdmin === 0) throw refusal('password');
    },
  };
}
