import { type Caller, standsForUser } from '../platform/http/authenticate.ts';
import { forbidden } from '../platform/http/errors.ts';
import { recentSignInNeeded, signedInRecently } from '../sign-in/index.ts';

/** Throws 403 unless a person asks, in a browser that is signed in: no token lets an application act. */
export function requireSession({ principal }: Caller): void {
  if (!standsForUser(principal))
    throw forbidden('Applications are let in by people: sign in with a password, in a browser');
}

/** Throws 403 where the person signed in too long ago: whoever sits down at an open browser lets nobody in. */
export function requireRecentSignIn({ principal }: Caller, now: number): void {
  if (!signedInRecently(principal, now)) throw recentSignInNeeded();
}
