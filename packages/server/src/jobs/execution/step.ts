import type { Clock } from '../../platform/clock.ts';
import type { Capture } from '../logs/capture.ts';
import type { AttemptState, Runner } from '../runners/runner.ts';
import { attemptKey } from './attempt-key.ts';
import type { ActiveJob } from './queue-store.ts';
import type { Transitions } from './transitions.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly runner: Runner;
  readonly capture: Capture;
  readonly transitions: Transitions;
  readonly beginAttempt: (job: ActiveJob) => Promise<boolean>;
  /** Called with the id of each job whose log has grown. */
  readonly onChange: (jobId: string) => void;
}

const LOST = 'The attempt was lost: nobody knows how it ended';

/** Takes an active job one step further. Returns whether anything has changed. */
export type Step = (job: ActiveJob) => Promise<boolean>;

export function createStep({ clock, runner, capture, transitions, beginAttempt, onChange }: Dependencies): Step {
  /** Stops the attempt, completes its log, and makes the final change only then. */
  async function end(seen: ActiveJob, change: () => Promise<boolean>): Promise<boolean> {
    const key = attemptKey(seen);
    await runner.stop(key);
    await capture(seen.id, key, true);
    const changed = await change();
    await runner.forget(key);
    return changed;
  }

  const endAttempt = (seen: ActiveJob, { exitCode, reason }: Extract<AttemptState, { state: 'ended' }>) =>
    end(seen, () =>
      exitCode === 0
        ? transitions.complete(seen)
        : transitions.fail(seen, reason ?? (exitCode === null ? LOST : `Exit code ${exitCode}`)),
    );

  return async (seen) => {
    if (seen.finished_at !== null) return end(seen, () => transitions.release(seen));
    if (seen.active === 'starting') return beginAttempt(seen);
    const state = await runner.inspect(attemptKey(seen));
    if (state.state === 'ended') return state.timedOut ? transitions.timeOut(seen) : endAttempt(seen, state);
    if (seen.deadline_at !== null && seen.deadline_at <= clock.now()) return transitions.timeOut(seen);
    const hasNewOutput = await capture(seen.id, attemptKey(seen), false);
    if (hasNewOutput) onChange(seen.id);
    return hasNewOutput;
  };
}
