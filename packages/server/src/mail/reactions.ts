import type { InvitationEvent } from '../members/index.ts';
import type { GrantEvent } from '../oauth/index.ts';
import type { ClaimEvent } from '../papers/index.ts';
import type { Clock } from '../platform/clock.ts';
import { afterCommit, type Executor } from '../platform/database/transaction.ts';
import type { HubEvent } from '../platform/events/events.ts';
import type { Reaction } from '../platform/events/reaction.ts';
import type { SecondFactorEvent, SignInEvent } from '../sign-in/index.ts';
import { createAccessMails } from './access-mails.ts';
import type { NoticeCause } from './contents/notices.ts';
import { INVITATION, SECURITY } from './policy.ts';
import { countNotices, insertNotice } from './store.ts';

/** The suspension of a webhook: the hub sends nothing more to it until its owner enables it. */
interface Suspension {
  readonly webhookId: string;
  readonly ownerId: string;
  readonly origin: string | null;
  readonly reason: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Invitations mailed for one user: anybody can create an organization and invite to it, and the hub must not become a means
 * of writing to strangers. Beyond this limit the inviter can still pass the link on.
 */
const MAX_INVITATIONS_A_DAY = 100;

/** Queues notices about single events. A notice has the id of its event, so that an event that is handled twice has one. */
export function createMailReactions({ clock, nudge }: { readonly clock: Clock; readonly nudge: () => void }) {
  async function notify(tx: Executor, event: HubEvent, userId: string | null, kind: string, cause: NoticeCause) {
    await insertNotice(tx, { id: event.id, userId, kind, cause, now: clock.now() });
    afterCommit(tx, nudge);
  }

  const mailClaimant: Reaction<ClaimEvent> = async (tx, event) => {
    const { action, paperId, userId } = event.data;
    if (action !== 'request')
      await notify(tx, event, userId, 'arxiv_paper_activity', { about: 'claim', action, paperId });
    return undefined;
  };

  const mailOwner: Reaction<Suspension> = async (tx, event) => {
    const { webhookId, ownerId, origin, reason } = event.data;
    await notify(tx, event, ownerId, SECURITY, { about: 'webhook', webhookId, origin, reason });
    return undefined;
  };

  const mailInvited: Reaction<InvitationEvent> = async (tx, event) => {
    const { invitationId, invitedBy } = event.data;
    const sent = await countNotices(tx, invitedBy, INVITATION, clock.now() - DAY_MS);
    if (sent < MAX_INVITATIONS_A_DAY)
      await notify(tx, event, invitedBy, INVITATION, { about: 'invitation', invitationId });
    return undefined;
  };

  const mailUser: Reaction<SignInEvent> = async (tx, event) => {
    const { data } = event;
    if (data.action === 'sign-up') {
      await notify(tx, event, null, SECURITY, { about: 'sign-up', linkHash: data.linkHash });
      return undefined;
    }
    // The log of the hub has it.
    if (data.action === 'token-made') return undefined;
    const { userId, ...what } = data;
    await notify(tx, event, userId, SECURITY, { about: 'sign-in', what });
    return undefined;
  };

  const mailFactorOwner: Reaction<SecondFactorEvent> = async (tx, event) => {
    const { userId, ...what } = event.data;
    await notify(tx, event, userId, SECURITY, { about: 'second-factor', what });
    return undefined;
  };

  const mailGrantor: Reaction<GrantEvent> = async (tx, event) => {
    const { action, userId, name, address } = event.data;
    await notify(tx, event, userId, SECURITY, { about: 'application', action, name, address });
    return undefined;
  };

  const mailAccess = createAccessMails({ clock, nudge });

  return { mailAccess, mailClaimant, mailOwner, mailInvited, mailUser, mailFactorOwner, mailGrantor };
}
