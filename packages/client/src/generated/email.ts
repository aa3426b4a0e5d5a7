// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as email from '@moonbase/contract/sign-in/email';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type OwnEmail = SuccessAnswer<typeof email.getEmail>;

/**
 * Get the caller's e-mail address.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function getEmail(params: Hub): Promise<SuccessAnswer<typeof email.getEmail>> {
  return call<typeof email.getEmail>(params, { method: 'GET', path: '/api/settings/email' });
}

/**
 * Change or remove the caller's e-mail address. A new address replaces the old one when the link mailed to it is
 * used within a day. null removes the address. Needs a session that began with a password or a link; `current`,
 * the password, is required unless the session is younger than ten minutes. 409 if the hub mails no links.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409, 429.
 * - 429: Too many failed attempts, or too many addresses in a day.
 */
export function setEmail(
  params: Hub & {
    readonly email: RouteBody<typeof email.setEmail>['email'];
    /** At most 1,024 bytes of UTF-8. */
    readonly current?: string | undefined;
  },
): Promise<SuccessAnswer<typeof email.setEmail>> {
  return call<typeof email.setEmail>(params, {
    method: 'PUT',
    path: '/api/settings/email',
    body: { email: params.email, current: params.current },
  });
}
