import { announceToGroups, announceToMembers, groupTopic, membershipTopic, roleTopic } from './access/index.ts';
import { type AccountEvent, accountTopic } from './accounts/index.ts';
import { pruneAuditLogTask } from './audit-log/index.ts';
import { pruneBucketsTask } from './buckets/index.ts';
import { signTags, signTagsTask } from './cards/index.ts';
import { popularityTask } from './catalog/index.ts';
import { commentTopic, threadTopic } from './comments/index.ts';
import { pruneJobsTask } from './jobs/index.ts';
import { type createMailReactions, pruneMailsTask } from './mail/index.ts';
import { followAccounts, invitationTopic } from './members/index.ts';
import { type CleanUp, type FanOut, previewInvalidation, pruneNotificationsTask } from './notifications/index.ts';
import { grantTopic, pruneOauthTask } from './oauth/index.ts';
import { type OrganizationEvent, organizationTopic, purgeTask, purgeTopic } from './organizations/index.ts';
import { claimTopic } from './papers/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Events } from './platform/events/events.ts';
import { onTopic, type Reaction, type TopicReactions } from './platform/events/reaction.ts';
import { pruneWindowsTask } from './platform/limits/reservations.ts';
import { pruneDeadLettersTask } from './platform/queue/prune-dead-letters.ts';
import { onSchedule, onTask, type StepOf, type TaskWork } from './platform/queue/tasks.ts';
import {
  accessRequestTopic,
  discussionTopic,
  fillNames,
  fillNamesTask,
  firstCommitsTask,
  type RepoEvent,
  repoTopic,
} from './repositories/index.ts';
import { followAutoJoin } from './resource-groups/index.ts';
import { purgeScimGroup, purgeScimGroupTask, roleSyncTask } from './scim/index.ts';
import {
  pruneSignInTask,
  resetTask,
  type SignInEvent,
  secondFactorTopic,
  signInTopic,
  signUpTask,
} from './sign-in/index.ts';
import { pruneSingleSignOnTask } from './single-sign-on/index.ts';
import { pruneUpstreamTask } from './upstream/index.ts';
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
  /** What asks for the files of a repository to be read. */
  readonly followHead: Reaction<RepoEvent>;
  readonly notify: FanOut;
  /** The reactions that delete notifications. */
  readonly cleanUp: CleanUp;
  /** The reaction that suspends notifications while an organization is deleted. */
  readonly suspend: Reaction<OrganizationEvent>;
  /** The reaction that ends the jobs of a deleted organization. */
  readonly cancelJobs: Reaction<OrganizationEvent>;
  /** The reactions that end the jobs of a disabled or deleted user. */
  readonly cancelJobsOfUser: Reaction<AccountEvent>;
  /** The reaction to what an operator changes beside the hub. */
  readonly followOperator: Reaction<SignInEvent>;
  /** The reactions that send mails; none if mail is off. */
  readonly mail?: ReturnType<typeof createMailReactions> | undefined;
  readonly clock: Clock;
  readonly events: Events;
}

/** All reactions by topic, in the order in which they run. */
export const reactionTable = ({
  deliver,
  followHead,
  notify,
  cleanUp,
  suspend,
  cancelJobs,
  cancelJobsOfUser,
  followOperator,
  mail,
  clock,
  events,
}: Reactions): readonly TopicReactions[] => [
  onTopic(repoTopic, {
    ...{ followNames, deliver, followHead },
    ...{ forget: previewInvalidation.onRepoEvent, takeAway: cleanUp.onRepoEvent },
  }),
  onTopic(discussionTopic, { deliver, notify: notify.onDiscussionEvent, takeAway: cleanUp.onDiscussionEvent }),
  onTopic(commentTopic, { notify: notify.onCommentEvent }),
  onTopic(accessRequestTopic, {
    notify: notify.onAccessRequestEvent,
    ...(mail && { mailAccess: mail.mailAccess }),
  }),
  onTopic(threadTopic, { forget: previewInvalidation.onThreadEvent, takeAway: cleanUp.onThreadEvent }),
  onTopic(membershipTopic, {
    followAutoJoin: followAutoJoin(clock),
    followMemberships,
    takeAway: cleanUp.onMembershipEvent,
  }),
  onTopic(roleTopic, { announceToMembers: announceToMembers(events), announceToGroups: announceToGroups(events) }),
  onTopic(groupTopic, { followGroups, takeAway: cleanUp.onGroupEvent }),
  onTopic(organizationTopic, { hide: suspend, cancelJobs }),
  onTopic(purgeTopic, { takeAway: cleanUp.onPurgeEvent }),
  onTopic(accountTopic, {
    followAccountNames,
    followAccounts,
    forget: previewInvalidation.onAccountEvent,
    takeAway: cleanUp.onAccountEvent,
    cancelJobsOfUser,
  }),
  onTopic(signInTopic, { followOperator, ...(mail && { mailUser: mail.mailUser }) }),
  ...(mail
    ? [
        onTopic(claimTopic, { mailClaimant: mail.mailClaimant }),
        onTopic(webhookTopic, { mailOwner: mail.mailOwner }),
        onTopic(invitationTopic, { mailInvited: mail.mailInvited }),
        onTopic(secondFactorTopic, { mailUser: mail.mailFactorOwner }),
        onTopic(grantTopic, { mailGrantor: mail.mailGrantor }),
      ]
    : []),
];

interface Steps {
  readonly scimRoleSync: StepOf<typeof roleSyncTask>;
  readonly purge: StepOf<typeof purgeTask>;
  readonly replay: StepOf<typeof replayTask>;
  readonly pruneLog: StepOf<typeof pruneLogTask>;
  readonly expireStream: StepOf<typeof expireStreamTask>;
  readonly popularity: StepOf<typeof popularityTask>;
  readonly pruneMails: StepOf<typeof pruneMailsTask>;
  readonly resetByMail: StepOf<typeof resetTask>;
  readonly signUp: StepOf<typeof signUpTask>;
  readonly pruneSignIn: StepOf<typeof pruneSignInTask>;
  readonly pruneOauth: StepOf<typeof pruneOauthTask>;
  readonly pruneSingleSignOn: StepOf<typeof pruneSingleSignOnTask>;
  readonly pruneJobs: StepOf<typeof pruneJobsTask>;
  readonly pruneNotifications: StepOf<typeof pruneNotificationsTask>;
  readonly pruneAuditLog: StepOf<typeof pruneAuditLogTask>;
  readonly pruneDeadLetters: StepOf<typeof pruneDeadLettersTask>;
  readonly pruneWindows: StepOf<typeof pruneWindowsTask>;
  readonly pruneBuckets: StepOf<typeof pruneBucketsTask>;
  readonly pruneUpstream: StepOf<typeof pruneUpstreamTask>;
  readonly firstCommits: StepOf<typeof firstCommitsTask>;
}

const HOUR_MS = 60 * 60 * 1000;

/** All kinds of tasks, each with its step and schedule. */
export const taskTable = ({ purge, replay, pruneLog, expireStream, ...steps }: Steps): readonly TaskWork[] => [
  onTask(purgeTask, purge),
  onTask(replayTask, replay),
  onTask(resetTask, steps.resetByMail),
  onTask(signUpTask, steps.signUp),
  onTask(roleSyncTask, steps.scimRoleSync),
  onTask(purgeScimGroupTask, purgeScimGroup),
  onTask(purgeWebhookTask, purgeWebhook),
  onTask(expireStreamTask, expireStream),
  onSchedule(pruneLogTask, HOUR_MS, pruneLog),
  onSchedule(popularityTask, HOUR_MS, steps.popularity),
  onSchedule(pruneMailsTask, HOUR_MS, steps.pruneMails),
  onSchedule(pruneSignInTask, HOUR_MS, steps.pruneSignIn),
  onSchedule(pruneOauthTask, HOUR_MS, steps.pruneOauth),
  onSchedule(pruneSingleSignOnTask, HOUR_MS, steps.pruneSingleSignOn),
  onSchedule(pruneJobsTask, HOUR_MS, steps.pruneJobs),
  onSchedule(pruneNotificationsTask, 6 * HOUR_MS, steps.pruneNotifications),
  onSchedule(pruneDeadLettersTask, HOUR_MS, steps.pruneDeadLetters),
  onSchedule(pruneWatchesTask, 6 * HOUR_MS, pruneWatches),
  onSchedule(pruneAuditLogTask, 6 * HOUR_MS, steps.pruneAuditLog),
  onSchedule(pruneBucketsTask, HOUR_MS, steps.pruneBuckets),
  onSchedule(pruneUpstreamTask, HOUR_MS, steps.pruneUpstream),
  onSchedule(firstCommitsTask, 24 * HOUR_MS, steps.firstCommits),
  onSchedule(fillNamesTask, HOUR_MS / 60, fillNames),
  onSchedule(signTagsTask, HOUR_MS / 60, signTags),
  onSchedule(pruneWindowsTask, HOUR_MS / 6, steps.pruneWindows),
];
