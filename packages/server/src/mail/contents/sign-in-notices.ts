import * as z from 'zod';
import { timestamp } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { oneLine } from '../policy.ts';
import type { Notice, NoticeParts } from './notice.ts';
import { findMailedLink, findSignUpLink, findUserName } from './notice-store.ts';

/** What a user is told about signing in, as mails keep it. */
export const SignInCause = z.discriminatedUnion('action', [
  z.object({ action: z.literal('link'), linkHash: z.string() }),
  z.object({ action: z.literal('password-changed') }),
  z.object({ action: z.literal('email-changed'), before: z.string() }),
  z.object({ action: z.literal('new-browser'), address: z.string(), userAgent: z.string().nullable() }),
  z.object({ action: z.literal('guessed'), attempts: z.int() }),
]);
type SignInCause = z.infer<typeof SignInCause>;

/** Returns what a mail about signing in says; undefined where the link is over or the user is gone or disabled. */
export async function signInNotice(
  executor: Executor,
  userId: string,
  cause: SignInCause,
  parts: NoticeParts,
): Promise<Notice | undefined> {
  if (cause.action === 'link') return linkNotice(executor, cause.linkHash, parts);
  const user = await findUserName(executor, userId);
  if (user === undefined) return undefined;
  const { subject, body, to } = changeNotice(user, cause, parts.hubUrl);
  return { subject, body: body.join('\n\n'), ...(to !== undefined && { to }) };
}

/** Returns the notice with the link that creates an account; undefined where the link is over. */
export async function signUpNotice(
  executor: Executor,
  linkHash: string,
  { hubUrl, linkUrl, now }: NoticeParts,
): Promise<Notice | undefined> {
  const link = await findSignUpLink(executor, linkHash, now);
  if (!link || link.nonce === null || link.email === null) return undefined;
  return {
    to: link.email,
    subject: 'Create your account',
    body: linkBody(`create an account with this address on the hub at ${hubUrl}`, linkUrl(link.nonce), link.expiresAt),
  };
}

/** Returns the text of a mail with a link. */
const linkBody = (wish: string, url: string, expiresAt: number): string =>
  [
    `To ${wish}, open this link until ${timestamp(expiresAt).slice(0, 16).replace('T', ' ')} UTC. It works once:`,
    url,
    'If you did not request this, you can ignore this mail.',
  ].join('\n\n');

async function linkNotice(
  executor: Executor,
  linkHash: string,
  { linkUrl, now }: NoticeParts,
): Promise<Notice | undefined> {
  const link = await findMailedLink(executor, linkHash, now);
  const to = link?.confirms ?? link?.email;
  if (!link || link.nonce === null || to == null) return undefined;
  const { user, expiresAt } = link;
  const [subject, wish] =
    link.confirms === null
      ? ['Reset your password', `choose a new password for the user ${user}`]
      : ['Confirm your e-mail address', `confirm that this address belongs to the user ${user}`];
  return {
    to,
    subject,
    body: linkBody(wish, linkUrl(link.nonce), expiresAt),
  };
}

interface Change {
  readonly subject: string;
  readonly body: readonly string[];
  readonly to?: string;
}

function changeNotice(user: string, cause: Exclude<SignInCause, { action: 'link' }>, hubUrl: string): Change {
  const unexpected = `If this was not you, reset the password and end all sessions: ${hubUrl}/settings`;
  switch (cause.action) {
    case 'password-changed':
      return {
        subject: 'Your password was changed',
        body: [
          `The password of the user ${user} was changed, and every other session was ended.`,
          'If this was not you, reset the password at once, or ask a site administrator of the hub to do so.',
        ],
      };
    case 'email-changed':
      return {
        to: cause.before,
        subject: 'Your e-mail address was changed',
        body: [
          `This address no longer belongs to the user ${user}. The hub at ${hubUrl} sends no more mails here.`,
          'If this was not you, ask a site administrator of the hub for help.',
        ],
      };
    case 'new-browser':
      return {
        subject: 'A new browser signed in to your account',
        body: [
          `The user ${user} signed in from ${cause.address}, with a browser that was not used before:`,
          // The browser chose these words: indented as code, they have no Markdown meaning.
          `    ${oneLine(cause.userAgent ?? 'a program that did not identify itself')}`,
          unexpected,
        ],
      };
    case 'guessed':
      return {
        subject: 'Somebody is trying to guess your password',
        body: [
          `Today ${cause.attempts} attempts to sign in as ${user} failed. Nothing is locked: you can sign in as always.`,
          'A password that is used nowhere else stays safe.',
        ],
      };
  }
}
