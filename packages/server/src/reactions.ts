import { announceToGroups, announceToMembers, groupTopic, membershipTopic, roleTopic } from './access/index.ts';
import { type AccountEvent, accountTopic } from './accounts/index.ts';
import { pruneAuditLogTask } from './audit-log/index.ts';
import { commentTopic, threadTopic } from './comments/index.ts';
import { pruneJobsTask } from './jobs/index.ts';
import { type createMailReactions, pruneMailsTask } from './mail/index.ts';
import { followAccounts, invitationTopic } from './members/index.ts';
import { type FanOut, previewInvalidation, pruneNotificationsTask, type Removal } from './notifications/index.ts';
import { type OrganizationEvent, organizationTopic, purgeTask, purgeTopic } from './organizations/index.ts';
import { claimTopic } from './papers/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Events } from './platform/events/events.ts';
import { onTopic, type Reaction, type TopicReactions } from './platform/events/reaction.ts';
import { pruneWindowsTask } from './platform/limits/reservations.ts';
import { pruneDeadLetters, pruneDeadLettersTask } from './platform/queue/prune-dead-letters.ts';
import { onSchedule, onTask, type StepOf, type TaskWork } from './platform/queue/tasks.ts';
import { discussionTopic, type RepoEvent, repoTopic } from './repositories/index.ts';
import { followAutoJoin } from './resource-groups/index.ts';
import { followGroups, followMemberships, pruneWatches, pruneWatchesTask } from './watching/index.ts';
import {
  expireStreamTask,
  followAccountNames,
  followNames,
  pruneLogTask,
  purgeWebhook,
  purgeWebhookTask,
  replayTask,
  webhookTopic,
} from './webhooks/index.ts';

interface Reactions {
  readonly deliver: Reaction<RepoEvent>;
  readonly notify: FanOut;
  /** What takes notifications away. */
  readonly removal: Removal;
  /** What sets them aside while an organization is deleted. */
  readonly suspend: Reaction<OrganizationEvent>;
  /** What ends the jobs of a deleted organization. */
  readonly cancelJobs: Reaction<OrganizationEvent>;
  /** What ends the jobs of a user who is disabled or deleted. */
  readonly cancelJobsOfUser: Reaction<AccountEvent>;
  /** Mails: none where mail is off. */
  readonly mail?: ReturnType<typeof createMailReactions> | undefined;
  readonly clock: Clock;
  readonly events: Events;
}

/** Everything that follows from an event: topic to reactions, in the order in which they run. */
export const reactionTable = ({
  deliver,
  notify,
  removal,
  suspend,
  cancelJobs,
  cancelJobsOfUser,
  mail,
  clock,
  events,
}: Reactions): readonly TopicReactions[] => [
  onTopic(repoTopic, { followNames, deliver, forget: previewInvalidation.onRepoEvent, takeAway: removal.onRepoEvent }),
  onTopic(discussionTopic, { deliver, notify: notify.onDiscussionEvent, takeAway: removal.onDiscussionEvent }),
  onTopic(commentTopic, { notify: notify.onCommentEvent }),
  onTopic(threadTopic, { forget: previewInvalidation.onThreadEvent, takeAway: removal.onThreadEvent }),
  onTopic(membershipTopic, {
    followAutoJoin: followAutoJoin(clock),
    followMemberships,
    takeAway: removal.onMembershipEvent,
  }),
  onTopic(roleTopic, { announceToMembers: announceToMembers(events), announceToGroups: announceToGroups(events) }),
  onTopic(groupTopic, { followGroups, takeAway: removal.onGroupEvent }),
  onTopic(organizationTopic, { hide: suspend, cancelJobs }),
  onTopic(purgeTopic, { takeAway: removal.onPurgeEvent }),
  onTopic(accountTopic, {
    followAccountNames,
    followAccounts,
    forget: previewInvalidation.onAccountEvent,
    takeAway: removal.onAccountEvent,
    cancelJobsOfUser,
  }),
  ...(mail
    ? [
        onTopic(claimTopic, { mailClaimant: mail.mailClaimant }),
        onTopic(webhookTopic, { mailOwner: mail.mailOwner }),
        onTopic(invitationTopic, { mailInvited: mail.mailInvited }),
      ]
    : []),
];

interface Steps {
  readonly purge: StepOf<typeof purgeTask>;
  readonly replay: StepOf<typeof replayTask>;
  readonly pruneLog: StepOf<typeof pruneLogTask>;
  readonly expireStream: StepOf<typeof expireStreamTask>;
  readonly pruneMails: StepOf<typeof pruneMailsTask>;
  readonly pruneJobs: StepOf<typeof pruneJobsTask>;
  readonly pruneNotifications: StepOf<typeof pruneNotificationsTask>;
  readonly pruneAuditLog: StepOf<typeof pruneAuditLogTask>;
  readonly pruneWindows: StepOf<typeof pruneWindowsTask>;
}

const HOUR_MS = 60 * 60 * 1000;

/** Everything that takes long: kind of task to its step, and how often it begins again. */
export const taskTable = ({ purge, replay, pruneLog, expireStream, ...steps }: Steps): readonly TaskWork[] => [
  onTask(purgeTask, purge),
  onTask(replayTask, replay),
  onTask(purgeWebhookTask, purgeWebhook),
  onTask(expireStreamTask, expireStream),
  onSchedule(pruneLogTask, HOUR_MS, pruneLog),
  onSchedule(pruneMailsTask, HOUR_MS, steps.pruneMails),
  onSchedule(pruneJobsTask, HOUR_MS, steps.pruneJobs),
  onSchedule(pruneNotificationsTask, 6 * HOUR_MS, steps.pruneNotifications),
  onSchedule(pruneDeadLettersTask, HOUR_MS, pruneDeadLetters),
  onSchedule(pruneWatchesTask, 6 * HOUR_MS, pruneWatches),
  onSchedule(pruneAuditLogTask, 6 * HOUR_MS, steps.pruneAuditLog),
  onSchedule(pruneWindowsTask, HOUR_MS / 6, steps.pruneWindows),
];
