import { createPause, type Pause } from '../../platform/cooperative.ts';
import { HubError } from '../../platform/http/errors.ts';

/** The steps of one request: a hostile text of patterns needs more, one that people write far fewer. */
const MAX_STEPS = 10_000_000;

/** What matching the patterns of one request takes. */
export interface Effort {
  /** Counts steps. Throws 422 if there were too many. */
  readonly spend: (steps: number) => void;
  /** Called between paths. */
  readonly pause: Pause;
}

export function createEffort(maxSteps = MAX_STEPS): Effort {
  let left = maxSteps;
  return {
    pause: createPause(),
    spend(steps) {
      left -= steps;
      if (left < 0)
        throw new HubError(
          422,
          'The patterns of .gitignore and .gitattributes take too long to match: send fewer files at once, or use fewer wildcards',
        );
    },
  };
}
