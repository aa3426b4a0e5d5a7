import type { Principal } from '../platform/http/authenticate.ts';
import { HubError } from '../platform/http/errors.ts';

/** How long after signing in a person may do dangerous things without proving their identity again. */
export const RECENT_MS = 10 * 60 * 1000;

/** Returns whether a caller with a session proved their identity recently. */
export const signedInRecently = ({ session }: Principal, now: number): boolean =>
  session !== undefined && now - session.strongAt < RECENT_MS;

/** Returns a 403 error whose code tells pages to ask for another sign-in. */
export const recentSignInNeeded = (message = 'You signed in a while ago: sign in again, and decide then') =>
  new HubError(403, message, { code: 'RecentSignInNeeded' });
