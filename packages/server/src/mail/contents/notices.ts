import * as z from 'zod';
import { timestamp } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { readStored } from '../../platform/stored-form.ts';
import { oneLine, subjectLine } from '../policy.ts';
import type { MailRow } from '../tables.ts';
import { AccessCause, accessNotice } from './access-notices.ts';
import type { Notice, NoticeParts } from './notice.ts';
import { findClaimedPaper, findInvitation } from './notice-store.ts';
import { SecondFactorCause, secondFactorNotice } from './second-factor-notices.ts';
import { SignInCause, signInNotice, signUpNotice } from './sign-in-notices.ts';
import { paperUrl } from './threads.ts';

/** The cause of a notice, as the column `data` of its mail keeps it. */
const NoticeCause = z.discriminatedUnion('about', [
  z.object({ about: z.literal('claim'), action: z.enum(['verify', 'reject']), paperId: z.string() }),
  z.object({
    about: z.literal('webhook'),
    webhookId: z.string(),
    /** The origin of the webhook's target, which holds no secrets; null for a job. */
    origin: z.string().nullable(),
    reason: z.string(),
  }),
  z.object({ about: z.literal('invitation'), invitationId: z.string() }),
  z.object({ about: z.literal('access'), what: AccessCause }),
  z.object({ about: z.literal('sign-in'), what: SignInCause }),
  z.object({ about: z.literal('sign-up'), linkHash: z.string() }),
  z.object({ about: z.literal('second-factor'), what: SecondFactorCause }),
  z.object({
    about: z.literal('application'),
    action: z.enum(['device', 'reuse']),
    name: z.string(),
    address: z.string(),
  }),
]);
export type NoticeCause = z.infer<typeof NoticeCause>;
type CauseAbout<About extends NoticeCause['about']> = Extract<NoticeCause, { about: About }>;

/** Returns the notice that a mail carries, undefined where the subject of the notice no longer exists. */
export async function findNotice(executor: Executor, mail: MailRow, parts: NoticeParts): Promise<Notice | undefined> {
  const { hubUrl } = parts;
  const { user_id: userId } = mail;
  const cause = readStored(NoticeCause, JSON.parse(mail.data ?? 'null'), `The cause of the mail ${mail.id}`);
  switch (cause.about) {
    case 'claim':
      return claimNotice(executor, cause, hubUrl);
    case 'webhook':
      return webhookNotice(cause, hubUrl);
    case 'invitation':
      return invitationNotice(executor, cause, parts);
    case 'access':
      return accessNotice(executor, mail, cause.what, hubUrl);
    case 'sign-in':
      return userId === null ? undefined : signInNotice(executor, userId, cause.what, parts);
    case 'sign-up':
      return signUpNotice(executor, cause.linkHash, parts);
    case 'second-factor':
      return userId === null ? undefined : secondFactorNotice(executor, userId, cause.what, hubUrl);
    case 'application':
      return applicationNotice(cause, hubUrl);
  }
}

async function claimNotice(
  executor: Executor,
  { paperId, action }: CauseAbout<'claim'>,
  hubUrl: string,
): Promise<Notice | undefined> {
  const paper = await findClaimedPaper(executor, paperId);
  if (!paper) return undefined;
  const verified = action === 'verify';
  const body = verified
    ? `Your claim to be an author of the paper ${paper.arxivId} was verified. The paper now shows your account.`
    : `Your claim to be an author of the paper ${paper.arxivId} was rejected by an administrator of this hub.`;
  return {
    subject: subjectLine(`[papers] Claim ${verified ? 'verified' : 'rejected'}: `, paper.title, ` (${paper.arxivId})`),
    body: `${body}\n\n${paperUrl(hubUrl, paper.arxivId)}`,
  };
}

function webhookNotice({ webhookId, origin, reason }: CauseAbout<'webhook'>, hubUrl: string): Notice {
  const target = origin === null ? 'which starts a job' : `to ${origin}`;
  return {
    subject: `Your webhook ${origin === null ? '' : `to ${origin} `}was suspended`,
    body: [
      `Your webhook ${webhookId}, ${target}, was suspended: too many of its deliveries failed. Nothing is sent to it until you enable it again. The last failure:`,
      // The receiver chose these words: indented as code, they have no Markdown meaning.
      `    ${reason}`,
      'When the receiver works again, enable the webhook:',
      `    curl -X POST ${hubUrl}/api/settings/webhooks/${webhookId}/enable -H "Authorization: Bearer $TOKEN"`,
      'What was not delivered in the meantime is in the log of the webhook and can be replayed from there.',
    ].join('\n\n'),
  };
}

function applicationNotice({ action, name, address }: CauseAbout<'application'>, hubUrl: string): Notice {
  const began = action === 'device';
  const where = `${hubUrl}/settings/applications`;
  return {
    subject: subjectLine('', name, began ? ' was logged in to your account' : ' was logged out of your account'),
    body: [
      began ? 'You authorized a program to log in to your account:' : 'A program was logged out of your account:',
      // Its owner chose the name: indented as code, it has no Markdown meaning.
      `    ${oneLine(name)}, at ${address}`,
      began
        ? `If that was not you, end it now, and change your password: ${where}`
        : `A refresh token of it was used a second time, so somebody else may have it. Log the program in again if you use it. The programs that may act for you: ${where}`,
    ].join('\n\n'),
  };
}

/** Holds names only, which can contain no address and no sentence: nobody writes to strangers in the name of the hub. */
async function invitationNotice(
  executor: Executor,
  { invitationId }: CauseAbout<'invitation'>,
  { hubUrl, invitationUrl, now }: NoticeParts,
): Promise<Notice | undefined> {
  const invitation = await findInvitation(executor, invitationId, now);
  if (!invitation?.email || invitation.expiresAt === null) return undefined;
  const { email: to, organization, by, expiresAt } = invitation;
  return {
    to,
    subject: `Invitation to the organization ${organization}`,
    body: [
      `${by} invites you to join the organization ${organization} on the hub at ${hubUrl}. To accept, open this link until ${timestamp(expiresAt).slice(0, 10)} and sign in:`,
      invitationUrl(invitation),
      'The link is for you alone: anybody who has it can accept. If you did not expect this invitation, you can ignore it.',
    ].join('\n\n'),
  };
}
