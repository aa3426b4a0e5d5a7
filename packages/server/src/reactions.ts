import { followAccounts } from './members/index.ts';
import { PURGE, purgeOrganization } from './organizations/index.ts';
import type { Reaction, ReactionMap } from './platform/events/relay.ts';
import type { TaskMap, TaskStep } from './platform/queue/tasks.ts';
import { followMemberships } from './watching/index.ts';
import { followAccountNames, followNames, purgeWebhook } from './webhooks/index.ts';

interface Reactions {
  readonly deliver: Reaction;
}

/** Everything that follows from an event: topic to reactions, in the order in which they run. */
export const reactionMap = ({ deliver }: Reactions): ReactionMap => ({
  repo: { followNames, deliver },
  discussion: { deliver },
  membership: { followMemberships },
  account: { followAccountNames, followAccounts },
});

interface Steps {
  readonly replay: TaskStep;
  readonly retain: TaskStep;
}

const HOUR_MS = 60 * 60 * 1000;

/** Everything that takes long: kind of task to its step, and how often it begins again. */
export const taskMap = ({ replay, retain }: Steps): TaskMap => ({
  [PURGE]: { step: purgeOrganization },
  'webhooks.replay': { step: replay },
  'webhooks.purge': { step: purgeWebhook },
  'webhooks.retain': { step: retain, everyMs: HOUR_MS },
});
