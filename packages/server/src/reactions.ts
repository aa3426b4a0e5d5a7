import { announceToGroups, announceToMembers } from './access/index.ts';
import type { createMailReactions } from './mail/index.ts';
import { followAccounts } from './members/index.ts';
import { previewInvalidation, type Removal } from './notifications/index.ts';
import { PURGE } from './organizations/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Events } from './platform/events/events.ts';
import type { Reaction, ReactionMap } from './platform/events/relay.ts';
import { pruneDeadLetters } from './platform/queue/prune-dead-letters.ts';
import type { TaskMap, TaskStep } from './platform/queue/tasks.ts';
import { followAutoJoin } from './resource-groups/index.ts';
import { followGroups, followMemberships, pruneWatches } from './watching/index.ts';
import { followAccountNames, followNames, purgeWebhook } from './webhooks/index.ts';

interface Reactions {
  readonly deliver: Reaction;
  readonly notify: Reaction;
  /** What takes notifications away. */
  readonly removal: Removal;
  /** What sets them aside while an organization is deleted. */
  readonly suspend: Reaction;
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
  suspend,
  cancelJobs,
  cancelJobsOfUser,
  mail,
  clock,
  events,
}: Reactions): ReactionMap => ({
  repo: { followNames, deliver, forget: previewInvalidation.onRepoEvent, takeAway: removal.onRepoEvent },
  discussion: { deliver, notify, takeAway: removal.onDiscussionEvent },
  comment: { notify },
  thread: { forget: previewInvalidation.onThreadEvent, takeAway: removal.onThreadEvent },
  membership: { followAutoJoin: followAutoJoin(clock), followMemberships, takeAway: removal.onMembershipEvent },
  role: { announceToMembers: announceToMembers(events), announceToGroups: announceToGroups(events) },
  group: { followGroups, takeAway: removal.onGroupEvent },
  organization: { hide: suspend, cancelJobs },
  purge: { takeAway: removal.onPurgeEvent },
  account: {
    followAccountNames,
    followAccounts,
    forget: previewInvalidation.onAccountEvent,
    takeAway: removal.onAccountEvent,
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
  readonly pruneLog: TaskStep;
  readonly expireStream: TaskStep;
  readonly pruneMails: TaskStep;
  readonly pruneJobs: TaskStep;
  readonly pruneNotifications: TaskStep;
  readonly pruneAuditLog: TaskStep;
  readonly pruneWindows: TaskStep;
}

const HOUR_MS = 60 * 60 * 1000;

/** Everything that takes long: kind of task to its step, and how often it begins again. */
export const taskMap = ({ purge, replay, pruneLog, expireStream, ...steps }: Steps): TaskMap => ({
  [PURGE]: { step: purge },
  'webhooks.replay': { step: replay },
  'webhooks.purge': { step: purgeWebhook },
  'webhooks.expire': { step: expireStream },
  'webhooks.retain': { step: pruneLog, everyMs: HOUR_MS },
  'mails.retain': { step: steps.pruneMails, everyMs: HOUR_MS },
  'jobs.retain': { step: steps.pruneJobs, everyMs: HOUR_MS },
  'notifications.retain': { step: steps.pruneNotifications, everyMs: 6 * HOUR_MS },
  'dead-letters.retain': { step: pruneDeadLetters, everyMs: HOUR_MS },
  'watching.retain': { step: pruneWatches, everyMs: 6 * HOUR_MS },
  'audit.retain': { step: steps.pruneAuditLog, everyMs: 6 * HOUR_MS },
  'limits.retain': { step: steps.pruneWindows, everyMs: HOUR_MS / 6 },
});
