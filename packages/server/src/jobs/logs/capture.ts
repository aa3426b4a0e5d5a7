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

/** More than twice of what a secret may have: one that is longer than a line is found whole. */
const MAX_BYTES = 512 * 1024;

/** Moves what an attempt has written into the log of its job. Returns whether there was any. `atEnd`: to its last byte. */
export type Capture = (jobId: string, key: string, atEnd: boolean) => Promise<boolean>;

export function createCapture({ database, clock, launching, runner, limit }: Dependencies): Capture {
  /** Undefined where nobody can tell what is to be hidden. */
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
        // Whoever else read this output has told it.
        if (now?.log_position !== job.log_position || now.attempt !== job.attempt) return;
        await appendLines(tx, now, { lines, at: clock.now(), position: read }, limit);
      });
      if (last) return true;
    }
  };
}
