import * as z from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

const userId = z.string();

/**
 * A link, or a change that somebody else may have made, of which the user is told by mail. Version 2 added links that create
 * an account, version 3 access tokens that an operator makes by a command.
 */
const SignInEvent = z.discriminatedUnion('action', [
  z.object({ action: z.literal('link'), userId, linkHash: z.string() }),
  /** A link that creates an account: there is no user yet. */
  z.object({ action: z.literal('sign-up'), linkHash: z.string() }),
  /** `by` is the operator of the hub, who works beside its processes. */
  z.object({ action: z.literal('password-changed'), userId, by: z.literal('operator').optional() }),
  z.object({ action: z.literal('token-made'), userId, by: z.literal('operator'), last4: z.string() }),
  /** `before` is the previous address of the account. */
  z.object({ action: z.literal('email-changed'), userId, before: z.string() }),
  z.object({ action: z.literal('new-browser'), userId, address: z.string(), userAgent: z.string().nullable() }),
  /** `attempts` is the number of failed passwords in one day. */
  z.object({ action: z.literal('guessed'), userId, attempts: z.int() }),
]);
export type SignInEvent = z.infer<typeof SignInEvent>;
export const signInTopic = defineTopic({ name: 'sign-in', version: 3, data: SignInEvent });

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
