import * as z from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

/** A user let a program log in by a user code, or a refresh token was reused, which ended the grant. */
const GrantEvent = z.object({
  action: z.enum(['device', 'reuse']),
  userId: z.string(),
  clientId: z.string(),
  /** The name of the application. */
  name: z.string(),
  /** The address of the program. */
  address: z.string(),
});
export type GrantEvent = z.infer<typeof GrantEvent>;
export const grantTopic = defineTopic({ name: 'oauth-grant', version: 1, data: GrantEvent });
