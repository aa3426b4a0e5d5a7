import type { Logger } from '../platform/logger.ts';
import type { Record } from './record.ts';
import type { Attempt } from './send.ts';

/** An attempt waits so long for others to be recorded with: a sync of the disk costs as much as recording dozens. */
const LINGER_MS = 10;
const MOST = 100;

export type Recorder = ReturnType<typeof createRecorder>;

/** Records attempts in batches. Those that come while a batch is being written make up the next one. */
export function createRecorder({ record, logger }: { record: Record; logger: Logger }) {
  let waiting: { readonly attempt: Attempt; readonly settle: (recorded: boolean) => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = false;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (writing || waiting.length === 0) return;
    writing = true;
    const batch = waiting.slice(0, MOST);
    waiting = waiting.slice(MOST);
    const recorded = await write(batch.map(({ attempt }) => attempt));
    for (const { settle } of batch) settle(recorded);
    writing = false;
    if (waiting.length > 0) await flush();
  }

  async function write(attempts: readonly Attempt[]): Promise<boolean> {
    try {
      await record(attempts);
      return true;
    } catch (error) {
      const deliveryIds = attempts.map(({ delivery }) => delivery.id);
      logger.error({ err: error, deliveryIds }, 'deliveries could not be recorded; they are sent again');
      return false;
    }
  }

  return {
    /** Resolves when it is durable, with true; false where it could not be written. `urgent`: nothing else is on its way. */
    add(attempt: Attempt, urgent: boolean): Promise<boolean> {
      return new Promise((settle) => {
        waiting.push({ attempt, settle });
        if (urgent || waiting.length >= MOST) void flush();
        else timer ??= setTimeout(() => void flush(), LINGER_MS);
      });
    },
  };
}
