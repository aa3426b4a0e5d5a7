import type { Clock } from '../platform/clock.ts';
import type { JobRow } from '../platform/database/tables.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { hiddenTexts, takeLines } from './log-lines.ts';
import { appendLines, FULL, type LogLimit } from './log-store.ts';
import type { Runner } from './runner.ts';
import { findJob, lockJob } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly runner: Runner;
  readonly limit: LogLimit;
}

/** More than twice of what a secret may have: one that is longer than a line is found whole. */
const MOST_BYTES = 512 * 1024;

/** Moves what an attempt has written into the log of its job. Answers whether there was any. `atEnd`: to its last byte. */
export type Capture = (jobId: string, key: string, atEnd: boolean) => Promise<boolean>;

export function createCapture({ database, clock, secretBox, runner, limit }: Dependencies): Capture {
  const hiddenIn = (job: JobRow): string[] =>
    job.secrets === null ? [] : hiddenTexts(JSON.parse(secretBox.open(job.secrets)) as Record<string, string>);

  return async (jobId, key, atEnd) => {
    for (let moved = false; ; moved = true) {
      const job = await findJob(database.executor, jobId);
      if (!job) return moved;
      if (job.log_position === FULL) {
        await runner.discard(key);
        return moved;
      }
      const { bytes, position } = await runner.read(key, job.log_position, MOST_BYTES);
      if (bytes.length === 0) return moved;
      const last = bytes.length < MOST_BYTES;
      const { lines, length } = takeLines(bytes, hiddenIn(job), atEnd && last);
      if (lines.length === 0) return moved;
      const read = length === bytes.length ? position : (await runner.read(key, job.log_position, length)).position;
      await database.transaction(async (tx) => {
        const now = await lockJob(tx, jobId);
        // Whoever else read this output has told it.
        if (now?.log_position !== job.log_position || now.attempt !== job.attempt) return;
        await appendLines(tx, now, { lines, at: clock.now(), position: read }, limit);
      });
      if (last) return true;
    }
  };
}
