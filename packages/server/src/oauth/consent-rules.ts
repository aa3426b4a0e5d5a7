import { type Caller, isSignedInUser } from '../platform/http/authenticate.ts';
import { forbidden } from '../platform/http/errors.ts';
import { recentSignInNeeded, signedInRecently } from '../sign-in/index.ts';

/** Throws 403 unless the caller has a browser session: a token cannot authorize an application. */
export function requireSession({ principal }: Caller): void {
  if (!isSignedInUser(principal))
    throw forbidden('Only people can authorize applications: sign in with a password in a browser');
}

/**
 * Throws 403 unless the person signed in recently, so that a passer-by cannot authorize anything at an open browser.
 */
export function requireRecentSignIn({ principal }: Caller, now: number): void {
  if (!signedInRecently(principal, now)) throw recentSignInNeeded();
}
