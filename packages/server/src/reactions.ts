import { announceToGroups, announceToMembers } from './access/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Events } from './platform/events/record.ts';
import type { Reaction, ReactionMap } from './platform/events/relay.ts';
import type { TaskMap, TaskStep } from './platform/queue/tasks.ts';
import { followAutoJoin } from './resource-groups/index.ts';
import { followGroups, followMemberships } from './watching/index.ts';
import { followNames, purgeWebhook } from './webhooks/index.ts';

interface Reactions {
  readonly deliver: Reaction;
  readonly clock: Clock;
  readonly events: Events;
}

/** Everything that follows from an event: topic to reactions, in the order in which they run. */
export const reactionMap = ({ deliver, clock, events }: Reactions): ReactionMap => ({
  repo: { followNames, deliver },
  discussion: { deliver },
  membership: { followAutoJoin: followAutoJoin(clock), followMemberships },
  role: { announceToMembers: announceToMembers(events), announceToGroups: announceToGroups(events) },
  group: { followGroups },
});

interface Steps {
  readonly replay: TaskStep;
  readonly retain: TaskStep;
}

const HOUR_MS = 60 * 60 * 1000;

/** Everything that takes long: kind of task to its step, and how often it begins again. */
export const taskMap = ({ replay, retain }: Steps): TaskMap => ({
  'webhooks.replay': { step: replay },
  'webhooks.purge': { step: purgeWebhook },
  'webhooks.retain': { step: retain, everyMs: HOUR_MS },
});
