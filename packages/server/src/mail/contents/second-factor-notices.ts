import * as z from 'zod';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Notice } from './notice.ts';
import { findUserName } from './notice-store.ts';

/** What a user is told about the second factor, as mails keep it. */
export const SecondFactorCause = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['on', 'renewed', 'off', 'codes-renewed']) }),
  z.object({ action: z.literal('reset'), by: z.string() }),
  z.object({ action: z.literal('recovery-code'), left: z.int(), address: z.string() }),
  z.object({ action: z.literal('guessed'), attempts: z.int() }),
]);
type SecondFactorCause = z.infer<typeof SecondFactorCause>;

/** Returns what a mail about a second factor says; undefined where the user is gone or disabled. */
export async function secondFactorNotice(
  executor: Executor,
  userId: string,
  cause: SecondFactorCause,
  hubUrl: string,
): Promise<Notice | undefined> {
  const user = await findUserName(executor, userId);
  if (user === undefined) return undefined;
  const { subject, body } = noticeOf(user, cause);
  const unexpected = `If this was not you, reset the password and end all sessions: ${hubUrl}/settings/sign-in`;
  return { subject, body: [...body, unexpected].join('\n\n') };
}

function noticeOf(user: string, cause: SecondFactorCause): { readonly subject: string; readonly body: string[] } {
  switch (cause.action) {
    case 'on':
      return {
        subject: 'Signing in now requires a second factor',
        body: [`The user ${user} now signs in with the password and a code. Every other session was ended.`],
      };
    case 'renewed':
      return {
        subject: 'Your second factor was changed',
        body: [`Codes for the user ${user} now come from another authenticator. Every other session was ended.`],
      };
    case 'off':
      return {
        subject: 'Your second factor was removed',
        body: [`The user ${user} now signs in with the password alone. Every other session was ended.`],
      };
    case 'codes-renewed':
      return {
        subject: 'You have new recovery codes',
        body: [`New recovery codes were created for the user ${user}; the previous ones no longer work.`],
      };
    case 'reset':
      return {
        subject: 'Your second factor was removed by an administrator',
        body: [
          `The site administrator ${cause.by} removed the second factor of the user ${user}, and every session was ended.`,
        ],
      };
    case 'recovery-code':
      return {
        subject: 'A recovery code was used to sign in to your account',
        body: [`Somebody signed in as ${user} from ${cause.address} with a recovery code. ${cause.left} are left.`],
      };
    case 'guessed':
      return {
        subject: 'Somebody has your password',
        body: [
          `Today somebody entered the right password of the user ${user} and ${cause.attempts} wrong codes. The second factor kept them out.`,
        ],
      };
  }
}
