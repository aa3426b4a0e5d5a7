import { z } from 'zod';
import type { Claims } from '../providers/openid.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const text = z.string().min(1).max(255);

const LogoutToken = z.looseObject({
  jti: text,
  iat: z.number(),
  sub: text.optional(),
  sid: text.optional(),
  events: z.looseObject({ [EVENT]: z.looseObject({}) }),
});

/** Whose sessions end, and which token says so. */
export interface Logout {
  readonly id: string;
  readonly subject: string | undefined;
  readonly session: string | undefined;
}

/** Returns what a logout token says (OpenID Back-Channel Logout 1.0 §2.4), or undefined where it is none. */
export function logoutIn(claims: Claims): Logout | undefined {
  const { data } = LogoutToken.safeParse(claims);
  // An id token has a nonce, and must not pass for a logout token.
  if (!data || 'nonce' in claims || (data.sub === undefined && data.sid === undefined)) return undefined;
  return { id: data.jti, subject: data.sub, session: data.sid };
}
