import type { InvitationEvent } from '../members/index.ts';
import type { ClaimEvent } from '../papers/index.ts';
import type { Clock } from '../platform/clock.ts';
import { afterCommit, type Executor } from '../platform/database/transaction.ts';
import type { HubEvent } from '../platform/events/events.ts';
import type { Reaction } from '../platform/events/reaction.ts';
import type { NoticeData } from './notices.ts';
import { INVITATION, SECURITY } from './policy.ts';
import { countNotices, queueNotice } from './store.ts';

/** What is told of a webhook to which the hub sends nothing more until its owner enables it. */
interface Suspension {
  readonly webhookId: string;
  readonly ownerId: string;
  readonly origin: string | null;
  readonly reason: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * From one user: anybody can make an organization and invite to it, and the hub is not to write to strangers without end.
 * Beyond it the inviter still has the link.
 */
const MAX_INVITATIONS_A_DAY = 100;

/** Mails about single things that happened, one an event: it has the id of its event, so that there is no second one. */
export function createMailReactions({ clock, nudge }: { readonly clock: Clock; readonly nudge: () => void }) {
  async function notify(tx: Executor, event: HubEvent, userId: string, kind: string, data: NoticeData) {
    await queueNotice(tx, { id: event.id, userId, kind, data, now: clock.now() });
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

  return { mailClaimant, mailOwner, mailInvited };
}
