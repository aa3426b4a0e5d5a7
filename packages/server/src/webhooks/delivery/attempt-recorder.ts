import type { Logger } from '../../platform/logger.ts';
import type { RecordAttempts } from './record-attempts.ts';
import type { Attempt } from './send.ts';

/** An attempt waits so long for others to be recorded with: a sync of the disk costs as much as recording dozens. */
const LINGER_MS = 20;
const MAX_BATCH = 100;

interface Waiting {
  readonly attempt: Attempt;
  readonly settle: (recorded: boolean) => void;
}

export type AttemptRecorder = ReturnType<typeof createAttemptRecorder>;

interface Dependencies {
  readonly record: RecordAttempts;
  readonly logger: Logger;
  /** Told of an attempt that could not be recorded, and why. */
  readonly onFailure: (attempt: Attempt, error: unknown) => Promise<void>;
}

/** Records attempts in batches. Those that come while a batch is being written make up the next one. */
export function createAttemptRecorder({ record, logger, onFailure }: Dependencies) {
  let waiting: Waiting[] = [];
  let hurry = false;
  let timer: NodeJS.Timeout | undefined;
  let writing = false;

  function schedule(): void {
    if (writing || waiting.length === 0) return;
    if (hurry || waiting.length >= MAX_BATCH) void flush();
    else timer ??= setTimeout(() => void flush(), LINGER_MS);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = true;
    const batch = waiting.slice(0, MAX_BATCH);
    waiting = waiting.slice(MAX_BATCH);
    hurry &&= waiting.length > 0;
    await write(batch);
    writing = false;
    schedule();
  }

  /** One that cannot be written spoils no other: after a failure each goes by itself. */
  async function write(batch: readonly Waiting[]): Promise<void> {
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
    /** Resolves when it is durable, with true; false where it could not be written. `urgent`: nothing else is on its way. */
    add(attempt: Attempt, urgent: boolean): Promise<boolean> {
      return new Promise((settle) => {
        waiting.push({ attempt, settle });
        hurry ||= urgent;
        schedule();
      });
    },
  };
}
