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
  /** Gives buckets what an attempt changed; returns a sentence for the owner of the job if that cannot be. */
  readonly readBack: (jobId: string, key: string) => Promise<string | undefined>;
  /** Called with the id of each job whose log has grown. */
  readonly onChange: (jobId: string) => void;
}

const LOST = 'The attempt was lost: nobody knows how it ended';

/** Takes an active job one step further. Returns whether anything has changed. */
export type Step = (job: ActiveJob) => Promise<boolean>;

export function createStep({
  clock,
  runner,
  capture,
  transitions,
  beginAttempt,
  readBack,
  onChange,
}: Dependencies): Step {
  /** Stops the attempt, completes its log, keeps what it changed in buckets, and makes the final change only then. */
  async function end(seen: ActiveJob, change: (fault: string | undefined) => Promise<boolean>): Promise<boolean> {
    const key = attemptKey(seen);
    await runner.stop(key);
    await capture(seen.id, key, true);
    const changed = await change(await readBack(seen.id, key));
    await runner.forget(key);
    return changed;
  }

  const endAttempt = (seen: ActiveJob, { exitCode, reason }: Extract<AttemptState, { state: 'ended' }>) =>
    end(seen, (fault) => {
      if (exitCode === 0) return fault === undefined ? transitions.complete(seen) : transitions.fail(seen, fault);
      const why = reason ?? (exitCode === null ? LOST : `Exit code ${exitCode}`);
      return transitions.fail(seen, fault === undefined ? why : `${why}. ${fault}`);
    });

  return async (seen) => {
    if (seen.finished_at !== null) return end(seen, (fault) => transitions.release(seen, fault));
    if (seen.active === 'starting') return beginAttempt(seen);
    const state = await runner.inspect(attemptKey(seen));
    if (state.state === 'ended') return state.timedOut ? transitions.timeOut(seen) : endAttempt(seen, state);
    if (seen.deadline_at !== null && seen.deadline_at <= clock.now()) return transitions.timeOut(seen);
    const hasNewOutput = await capture(seen.id, attemptKey(seen), false);
    if (hasNewOutput) onChange(seen.id);
    return hasNewOutput;
  };
}
