import { GitUnavailable } from '../../platform/git/stock/git-version.ts';
import { HubError } from '../../platform/http/errors.ts';
import { OutboundFailure } from '../../platform/outbound/failure.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { toJson } from '../../platform/stored-form.ts';
import { regularDelayMs, retryDelayMs } from '../policy.ts';
import type { MirrorRow, RefusedRef } from '../tables.ts';
import { MirrorStopped } from './authority.ts';

interface Failure {
  /** A sentence for people. */
  readonly error: string;
  readonly isStopped: boolean;
}

/** What came of a sync: the refs that were refused, or why it failed. */
export type Outcome = { readonly refused: readonly RefusedRef[]; readonly error?: undefined } | Failure;

const INTERNAL = 'Something went wrong on this hub; its log says what';
const MAX_CHARACTERS = 2_000;

/** Returns the outcome of a sync that threw, and whether the error is one of the hub. */
export function failureOf(error: unknown): { readonly outcome: Failure; readonly isInternal: boolean } {
  const isForPeople =
    error instanceof RemoteFault ||
    error instanceof OutboundFailure ||
    error instanceof MirrorStopped ||
    error instanceof HubError ||
    error instanceof GitUnavailable;
  const message = isForPeople ? error.message.slice(0, MAX_CHARACTERS) : INTERNAL;
  return { outcome: { error: message, isStopped: error instanceof MirrorStopped }, isInternal: !isForPeople };
}

interface Ended {
  readonly now: number;
  readonly durationMs: number;
  readonly random: number;
}

/** Returns how a mirror changes after a sync, with the time of the next one. */
export function changeAfter(
  mirror: MirrorRow,
  outcome: Outcome,
  { now, durationMs, random }: Ended,
): Partial<MirrorRow> {
  const ended = { unfinished: 0, progress: null, attempted_at: now, duration_ms: durationMs };
  const { interval_seconds: interval } = mirror;
  if (outcome.error === undefined)
    return {
      ...ended,
      ...{ failures: 0, stopped: 0, error: null, synced_at: now, refused: toJson(outcome.refused) },
      due_at: now + regularDelayMs(interval, random),
    };
  const failures = mirror.failures + 1;
  return {
    ...ended,
    ...{ failures, stopped: outcome.isStopped ? 1 : 0, error: outcome.error },
    due_at: now + retryDelayMs(failures, interval),
  };
}
