import { timestamp } from '../platform/clock.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { subjectLine } from './policy.ts';
import type { MailRow } from './tables.ts';
import { paperUrl } from './threads.ts';

/** A mail about one thing: not a thread, nothing follows. */
export interface Notice {
  readonly subject: string;
  /** Markdown. */
  readonly body: string;
  /** Where it goes instead of to the user of the mail. */
  readonly to?: string;
}

/** What notices are made of, beside what is kept of their cause. */
export interface NoticeParts {
  /** Where the hub is, for links. */
  readonly hubUrl: string;
  readonly invitationUrl: (invitation: { readonly id: string; readonly nonce: string | null }) => string;
  readonly now: number;
}

/** What is kept of the cause of a notice. */
export type NoticeData =
  | { readonly about: 'claim'; readonly action: 'verify' | 'reject'; readonly paperId: string }
  | {
      readonly about: 'webhook';
      readonly webhookId: string;
      /** Of its target, which has no secrets; null for a job. */
      readonly origin: string | null;
      readonly reason: string;
    }
  | { readonly about: 'invitation'; readonly invitationId: string };

/** Undefined where what it was about is gone. */
export async function findNotice(executor: Executor, mail: MailRow, parts: NoticeParts): Promise<Notice | undefined> {
  const { hubUrl } = parts;
  const data = JSON.parse(mail.data ?? 'null') as NoticeData;
  switch (data.about) {
    case 'claim':
      return claimNotice(executor, data, hubUrl);
    case 'webhook':
      return webhookNotice(data, hubUrl);
    case 'invitation':
      return invitationNotice(executor, data, parts);
  }
}

async function claimNotice(
  executor: Executor,
  { paperId, action }: Extract<NoticeData, { about: 'claim' }>,
  hubUrl: string,
): Promise<Notice | undefined> {
  const paper = await executor
    .selectFrom('papers')
    .select(['arxiv_id as arxivId', 'title'])
    .where('id', '=', paperId)
    .executeTakeFirst();
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

function webhookNotice(
  { webhookId, origin, reason }: Extract<NoticeData, { about: 'webhook' }>,
  hubUrl: string,
): Notice {
  const target = origin === null ? 'which starts a job' : `to ${origin}`;
  return {
    subject: `Your webhook ${origin === null ? '' : `to ${origin} `}was suspended`,
    body: [
      `Your webhook ${webhookId}, ${target}, was suspended: too many of its deliveries failed. Nothing is sent to it until you enable it again. The last failure:`,
      // Comes from the receiver: as code, nothing in it means anything.
      `    ${reason}`,
      'When the receiver is well, enable the webhook:',
      `    curl -X POST ${hubUrl}/api/settings/webhooks/${webhookId}/enable -H "Authorization: Bearer $TOKEN"`,
      'What was not delivered meanwhile is in the log of the webhook and can be replayed from there.',
    ].join('\n\n'),
  };
}

/** Names alone, which cannot hold an address or a sentence: nobody writes to strangers in the name of the hub. */
async function invitationNotice(
  executor: Executor,
  { invitationId }: Extract<NoticeData, { about: 'invitation' }>,
  { hubUrl, invitationUrl, now }: NoticeParts,
): Promise<Notice | undefined> {
  const invitation = await executor
    .selectFrom('invitations')
    .innerJoin('accounts as org', 'org.id', 'invitations.org_id')
    .innerJoin('accounts as inviter', 'inviter.id', 'invitations.invited_by')
    .select(['invitations.id', 'invitations.email', 'invitations.nonce', 'invitations.expires_at as expiresAt'])
    .select(['org.name as organization', 'inviter.name as by'])
    .where('invitations.id', '=', invitationId)
    .where('invitations.expires_at', '>', now)
    .executeTakeFirst();
  if (!invitation?.email || invitation.expiresAt === null) return undefined;
  const { email: to, organization, by, expiresAt } = invitation;
  return {
    to,
    subject: `Invitation to the organization ${organization}`,
    body: [
      `${by} invites you to join the organization ${organization} on the hub at ${hubUrl}. To accept, open this link until ${timestamp(expiresAt).slice(0, 10)} and sign in:`,
      invitationUrl(invitation),
      'The link is for you alone: anybody who has it can accept. If you do not expect this invitation, there is nothing to do.',
    ].join('\n\n'),
  };
}
