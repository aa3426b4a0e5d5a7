import { avatarUrl } from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Visitor } from '../platform/http/authenticate.ts';
import { beginCookie, sessionIn, stepCookie } from '../platform/http/session-cookie.ts';
import type { SignInParts } from './assembly.ts';
import { STEP_LIFETIME_MS } from './second-factor/second-step.ts';
import type { SignedInUser } from './signed-in-user.ts';

/**
 * Returns the response to a browser that has signed in, with the cookie of the session or of the second step. Ends the
 * browser's previous session, whoever it belongs to, so that nobody continues with a planted cookie.
 */
export async function signedIn(
  { limits, sessions }: Pick<SignInParts, 'limits' | 'sessions'>,
  { baseUrl }: Visitor,
  cookie: string | undefined,
  begun: SignedInUser,
) {
  const { id, name, fullname } = begun.user;
  const user = { id, name, fullname, avatarUrl: avatarUrl(baseUrl, begun.user) };
  if ('step' in begun)
    return {
      body: {
        user,
        expiresAt: timestamp(begun.step.expiresAt),
        secondFactor: true as const,
        ...(begun.step.setUp && { setUp: true as const }),
      },
      cookie: stepCookie(baseUrl, begun.step.text, STEP_LIFETIME_MS / 1000),
    };
  await sessions.signOut(sessionIn(cookie, baseUrl));
  const { secret, expiresAt } = begun.session;
  return {
    body: { user, expiresAt: timestamp(expiresAt) },
    cookie: beginCookie(baseUrl, secret, limits.maxMs / 1000),
  };
}
