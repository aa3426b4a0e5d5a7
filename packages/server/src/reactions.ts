import { announceToGroups, announceToMembers } from './access/index.ts';
import type { createMailReactions } from './mail/index.ts';
import { followAccounts } from './members/index.ts';
import { forgetting, type Removal } from './notifications/index.ts';
import { PURGE } from './organizations/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Events } from './platform/events/events.ts';
import type { Reaction, ReactionMap } from './platform/events/relay.ts';
import { forgetGoneLetters } from './platform/queue/dead-letter-retention.ts';
import type { TaskMap, TaskStep } from './platform/queue/tasks.ts';
import { followAutoJoin } from './resource-groups/index.ts';
import { followGroups, followMemberships, forgetGone } from './watching/index.ts';
import { followAccountNames, followNames, purgeWebhook } from './webhooks/index.ts';

interface Reactions {
  readonly deliver: Reaction;
  readonly notify: Reaction;
  /** What takes notifications away. */
  readonly removal: Removal;
  /** What sets them aside while an organization is deleted. */
  readonly hide: Reaction;
  /** What ends the jobs of a deleted organization. */
  readonly cancelJobs: Reaction;
  /** What ends the jobs of a user who is disabled or deleted. */
  readonly cancelJobsOfUser: Reaction;
  /** Mails: none where mail is off. */
  readonly mail?: ReturnType<typeof createMailReactions> | undefined;
  readonly clock: Clock;
  readonly events: Events;
}

/** Everything that follows from an event: topic to reactions, in the order in which they run. */
export const reactionMap = ({
  deliver,
  notify,
  removal,
  hide,
  cancelJobs,
  cancelJobsOfUser,
  mail,
  clock,
  events,
}: Reactions): ReactionMap => ({
  repo: { followNames, deliver, forget: forgetting.ofRepo, takeAway: removal.ofRepo },
  discussion: { deliver, notify, takeAway: removal.ofDiscussion },
  comment: { notify },
  thread: { forget: forgetting.ofThread, takeAway: removal.ofThread },
  membership: { followAutoJoin: followAutoJoin(clock), followMemberships, takeAway: removal.ofMember },
  role: { announceToMembers: announceToMembers(events), announceToGroups: announceToGroups(events) },
  group: { followGroups, takeAway: removal.ofGroup },
  organization: { hide, cancelJobs },
  purge: { takeAway: removal.ofPurged },
  account: {
    followAccountNames,
    followAccounts,
    forget: forgetting.ofAccount,
    takeAway: removal.ofAccount,
    cancelJobsOfUser,
  },
  ...(mail && {
    claim: { mailClaimant: mail.mailClaimant },
    webhook: { mailOwner: mail.mailOwner },
    invitation: { mailInvited: mail.mailInvited },
  }),
});

interface Steps {
  readonly purge: TaskStep;
  readonly replay: TaskStep;
  readonly retain: TaskStep;
  readonly expireStream: TaskStep;
  readonly retainMails: TaskStep;
  readonly retainJobs: TaskStep;
  readonly retainNotifications: TaskStep;
  readonly retainAudit: TaskStep;
  readonly retainWindows: TaskStep;
}

const HOUR_MS = 60 * 60 * 1000;

/** Everything that takes long: kind of task to its step, and how often it begins again. */
export const taskMap = ({ purge, replay, retain, expireStream, ...steps }: Steps): TaskMap => ({
  [PURGE]: { step: purge },
  'webhooks.replay': { step: replay },
  'webhooks.purge': { step: purgeWebhook },
  'webhooks.expire': { step: expireStream },
  'webhooks.retain': { step: retain, everyMs: HOUR_MS },
  'mails.retain': { step: steps.retainMails, everyMs: HOUR_MS },
  'jobs.retain': { step: steps.retainJobs, everyMs: HOUR_MS },
  'notifications.retain': { step: steps.retainNotifications, everyMs: 6 * HOUR_MS },
  'dead-letters.retain': { step: forgetGoneLetters, everyMs: HOUR_MS },
  'watching.retain': { step: forgetGone, everyMs: 6 * HOUR_MS },
  'audit.retain': { step: steps.retainAudit, everyMs: 6 * HOUR_MS },
  'limits.retain': { step: steps.retainWindows, everyMs: HOUR_MS / 6 },
});
