import type { Reaction, ReactionMap } from './platform/events/relay.ts';
import { followNames } from './webhooks/index.ts';

interface Reactions {
  readonly deliver: Reaction;
}

/** Everything that follows from an event: topic to reactions, in the order in which they run. */
export const reactionMap = ({ deliver }: Reactions): ReactionMap => ({
  repo: { followNames, deliver },
  discussion: { deliver },
});
