import { z } from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

const userId = z.string();

/**
 * An event that causes a mail: a link, or a notice of a change that somebody else may have made. Version 2 added links that
 * create an account.
 */
const SignInEvent = z.discriminatedUnion('action', [
  z.object({ action: z.literal('link'), userId, linkHash: z.string() }),
  /** A link that creates an account: there is no user yet. */
  z.object({ action: z.literal('sign-up'), linkHash: z.string() }),
  z.object({ action: z.literal('password-changed'), userId }),
  /** `before` is the previous address of the account. */
  z.object({ action: z.literal('email-changed'), userId, before: z.string() }),
  z.object({ action: z.literal('new-browser'), userId, address: z.string(), userAgent: z.string().nullable() }),
  /** `attempts` is the number of failed passwords in one day. */
  z.object({ action: z.literal('guessed'), userId, attempts: z.int() }),
]);
export type SignInEvent = z.infer<typeof SignInEvent>;
export const signInTopic = defineTopic({ name: 'sign-in', version: 2, data: SignInEvent });

/** A change of a user's second factor, which a mail reports to the user. */
const SecondFactorEvent = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['on', 'renewed', 'off', 'codes-renewed']), userId }),
  /** A site administrator, named by `by`, removed the factor. */
  z.object({ action: z.literal('reset'), userId, by: z.string() }),
  z.object({ action: z.literal('recovery-code'), userId, left: z.int(), address: z.string() }),
  /** Somebody with the right password failed at the code; `attempts` is the number of failures in one day. */
  z.object({ action: z.literal('guessed'), userId, attempts: z.int() }),
]);
export type SecondFactorEvent = z.infer<typeof SecondFactorEvent>;
export const secondFactorTopic = defineTopic({ name: 'second-factor', version: 1, data: SecondFactorEvent });
