import { z } from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

const userId = z.string();

/** What a user is told of by mail: a link, or a change that somebody else may have made. */
const SignInEvent = z.discriminatedUnion('action', [
  z.object({ action: z.literal('link'), userId, linkHash: z.string() }),
  z.object({ action: z.literal('password-changed'), userId }),
  /** `before` is the address that the account had. */
  z.object({ action: z.literal('email-changed'), userId, before: z.string() }),
  z.object({ action: z.literal('new-browser'), userId, address: z.string(), userAgent: z.string().nullable() }),
  /** Attempts to guess the password of the user in one day. */
  z.object({ action: z.literal('guessed'), userId, attempts: z.int() }),
]);
export type SignInEvent = z.infer<typeof SignInEvent>;
export const signInTopic = defineTopic({ name: 'sign-in', version: 1, data: SignInEvent });

/** What happens to the second factor of a user, who is told by mail. */
const SecondFactorEvent = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['on', 'renewed', 'off', 'codes-renewed']), userId }),
  /** A site administrator removed the factor; `by` is the name. */
  z.object({ action: z.literal('reset'), userId, by: z.string() }),
  z.object({ action: z.literal('recovery-code'), userId, left: z.int(), address: z.string() }),
  /** Somebody who has the password failed at the code, so often in one day. */
  z.object({ action: z.literal('guessed'), userId, attempts: z.int() }),
]);
export type SecondFactorEvent = z.infer<typeof SecondFactorEvent>;
export const secondFactorTopic = defineTopic({ name: 'second-factor', version: 1, data: SecondFactorEvent });
