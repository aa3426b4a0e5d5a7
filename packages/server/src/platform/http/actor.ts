import { TokenRole } from '@moonbase/contract/accounts/profiles';
import * as z from 'zod';
import type { Caller } from './authenticate.ts';

/**
 * A recorded caller: the identity stored for work that continues after the response, or with the record of a change.
 */
export const Actor = z.object({
  principal: z.object({
    userId: z.string(),
    userName: z.string(),
    token: z.object({
      id: z.string(),
      role: TokenRole,
      last4: z.string().optional(),
      /** The OAuth application that acted for the user. */
      oauth: z.object({ clientId: z.string(), name: z.string() }).optional(),
    }),
  }),
  address: z.string(),
  userAgent: z.string().optional(),
});
export type Actor = z.infer<typeof Actor>;

/** Returns the storable part of a caller. */
export function actorOf({ principal, address, userAgent }: Actor | Caller): Actor {
  const { userId, userName, token } = principal;
  const { id, role, last4, oauth } = token;
  const application = oauth && { clientId: oauth.clientId, name: oauth.name };
  return {
    principal: { userId, userName, token: { id, role, last4, ...(application && { oauth: application }) } },
    address,
    userAgent,
  };
}
