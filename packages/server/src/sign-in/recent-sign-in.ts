import type { Principal } from '../platform/http/authenticate.ts';
import { HubError } from '../platform/http/errors.ts';

/** How long after signing in a person does what is dangerous without proving again who they are. */
export const RECENT_MS = 10 * 60 * 1000;

/** Whether a caller proved a moment ago who they are; never without a session. */
export const signedInRecently = ({ session }: Principal, now: number): boolean =>
  session !== undefined && now - session.strongAt < RECENT_MS;

/** 403 with the code by which pages know that signing in again helps. */
export const recentSignInNeeded = (message = 'You signed in a while ago: sign in again, and decide then') =>
  new HubError(403, message, { code: 'RecentSignInNeeded' });
