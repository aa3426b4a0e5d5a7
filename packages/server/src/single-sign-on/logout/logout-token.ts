import * as z from 'zod';
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

/** The sessions to end, and the logout token's identity. */
export interface Logout {
  readonly id: string;
  readonly subject: string | undefined;
  readonly session: string | undefined;
}

/** Parses the claims of a logout token (OpenID Back-Channel Logout 1.0 §2.4); returns undefined for other tokens. */
export function logoutIn(claims: Claims): Logout | undefined {
  const { data } = LogoutToken.safeParse(claims);
  // Id tokens contain a nonce and must not be accepted as logout tokens.
  if (!data || 'nonce' in claims || (data.sub === undefined && data.sid === undefined)) return undefined;
  return { id: data.jti, subject: data.sub, session: data.sid };
}
