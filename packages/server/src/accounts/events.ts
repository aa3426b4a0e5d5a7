import * as z from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

/** An account was renamed, disabled or deleted, or got another picture. */
const AccountEvent = z.object({
  /** Events of older releases lack this field; all of them were renames. */
  action: z.enum(['rename', 'picture', 'disable', 'delete']).default('rename'),
  accountId: z.string(),
  /** Deletions recorded by older releases lack this field and the name; all of them concerned users. */
  kind: z.enum(['user', 'org']).default('user'),
  /** The previous name; `name` is the new one if the account was renamed. */
  before: z.string().default(''),
  name: z.string().optional(),
});
export type AccountEvent = z.infer<typeof AccountEvent>;
export const accountTopic = defineTopic({ name: 'account', version: 1, data: AccountEvent });
