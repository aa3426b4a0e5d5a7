import { z } from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

/** An account got another name or picture, was disabled, or was deleted. */
const AccountEvent = z.object({
  /** Once every change was one of the name. */
  action: z.enum(['rename', 'picture', 'disable', 'delete']).default('rename'),
  accountId: z.string(),
  /** Once the deletion of a user had neither this nor a name. */
  kind: z.enum(['user', 'org']).default('user'),
  /** Its name before; where it is renamed, it is `name` now. */
  before: z.string().default(''),
  name: z.string().optional(),
});
export type AccountEvent = z.infer<typeof AccountEvent>;
export const accountTopic = defineTopic({ name: 'account', version: 1, data: AccountEvent });
