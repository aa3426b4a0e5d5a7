import type { Logger } from '../../../platform/logger.ts';
import type { Attempt } from '../send.ts';
import type { RecordAttempts } from './record-attempts.ts';

/** How long an attempt waits for others to share a transaction: one sync of the disk costs as much as recording dozens. */
const LINGER_MS = 20;
const MAX_BATCH = 100;

interface WaitingAttempt {
  readonly attempt: Attempt;
  readonly settle: (recorded: boolean) => void;
}

export type AttemptRecorder = ReturnType<typeof createAttemptRecorder>;

interface Dependencies {
  readonly record: RecordAttempts;
  readonly logger: Logger;
  /** Called with an attempt that could not be recorded, and with the error. */
  readonly onFailure: (attempt: Attempt, error: unknown) => Promise<void>;
}

/** Records attempts in batches. Attempts that arrive while a batch is being written form the next one. */
export function createAttemptRecorder({ record, logger, onFailure }: Dependencies) {
  let waiting: WaitingAttempt[] = [];
  let hasUrgent = false;
  let timer: NodeJS.Timeout | undefined;
  let writing = false;

  function schedule(): void {
    if (writing || waiting.length === 0) return;
    if (hasUrgent || waiting.length >= MAX_BATCH) void flush();
    else timer ??= setTimeout(() => void flush(), LINGER_MS);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = true;
    const batch = waiting.slice(0, MAX_BATCH);
    waiting = waiting.slice(MAX_BATCH);
    hasUrgent &&= waiting.length > 0;
    await write(batch);
    writing = false;
    schedule();
  }

  /** Writes a batch; after a failure each attempt is written by itself, so that one bad attempt spoils no other. */
  async function write(batch: readonly WaitingAttempt[]): Promise<void> {
    try {
      await record(batch.map(({ attempt }) => attempt));
      for (const { settle } of batch) settle(true);
    } catch (error) {
      const [first] = batch;
      if (batch.length > 1) for (const each of batch) await write([each]);
      else if (first) {
        logger.error({ err: error, deliveryId: first.attempt.delivery.id }, 'a delivery could not be recorded');
        await onFailure(first.attempt, error).catch(() => {});
        first.settle(false);
      }
    }
  }

  return {
    /** Resolves with true when the attempt is recorded, with false where it could not be written. `urgent` attempts do not wait. */
    add(attempt: Attempt, urgent: boolean): Promise<boolean> {
      return new Promise((settle) => {
        waiting.push({ attempt, settle });
        hasUrgent ||= urgent;
        schedule();
      });
    },
  };
}
