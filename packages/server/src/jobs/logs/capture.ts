import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { jobSecretsAt, type Launching } from '../execution/launch.ts';
import type { Runner } from '../runners/runner.ts';
import { findJob, lockJob } from '../runs/store.ts';
import type { JobRow } from '../tables.ts';
import { hiddenTexts, takeLines } from './lines.ts';
import { appendLines, FULL, type LogLimit } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly launching: Launching;
  readonly runner: Runner;
  readonly limit: LogLimit;
}

/**
 * The maximum number of bytes per read: more than twice the longest secret, so that multi-line secrets are found whole.
 */
const MAX_BYTES = 512 * 1024;

/**
 * Moves the new output of an attempt into the log of its job, and at the end of the attempt also a last line without a
 * line break. Returns whether there was new output.
 */
export type Capture = (jobId: string, key: string, atEnd: boolean) => Promise<boolean>;

export function createCapture({ database, clock, launching, runner, limit }: Dependencies): Capture {
  /** Returns the texts to hide; undefined if the secrets cannot be read. */
  const hiddenIn = (job: JobRow): string[] | undefined => {
    const secrets = launching.secretsOf(job.secrets, jobSecretsAt(job.id));
    return secrets && hiddenTexts(secrets);
  };

  return async (jobId, key, atEnd) => {
    for (let moved = false; ; moved = true) {
      const job = await findJob(database.read, jobId);
      if (!job) return moved;
      const hidden = hiddenIn(job);
      if (job.log_position === FULL || hidden === undefined) {
        await runner.discard(key);
        return moved;
      }
      const { bytes, position } = await runner.read(key, job.log_position, MAX_BYTES);
      if (bytes.length === 0) return moved;
      const last = bytes.length < MAX_BYTES;
      const { lines, length } = takeLines(bytes, hidden, atEnd && last);
      if (lines.length === 0) return moved;
      const read = length === bytes.length ? position : (await runner.read(key, job.log_position, length)).position;
      await database.transaction(async (tx) => {
        const now = await lockJob(tx, jobId);
        // Another process has moved this output meanwhile.
        if (now?.log_position !== job.log_position || now.attempt !== job.attempt) return;
        await appendLines(tx, now, { lines, at: clock.now(), position: read }, limit);
      });
      if (last) return true;
    }
  };
}
