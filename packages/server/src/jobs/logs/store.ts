import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { updateJob } from '../runs/store.ts';
import type { JobLogRow, JobRow } from '../tables.ts';

/** The output position of a job whose log is full, after which nothing is read. */
export const FULL = 'full';

/** The maximum number of characters in a piece of a log, unless a single line is longer. */
const MAX_PIECE_LENGTH = 64 * 1024;

export interface LogLimit {
  readonly bytes: number;
  /** The last line of a log that has reached the limit. */
  readonly note: string;
}

export const logLimit = (mebibytes: number): LogLimit => ({
  bytes: mebibytes * 1024 * 1024,
  note: `===== The log ends here: of one job ${mebibytes} MiB are kept =====`,
});

interface NewLines {
  readonly lines: readonly string[];
  readonly at: number;
  /** The position in the output after these lines. */
  readonly position: string;
}

/**
 * Appends lines to the log of a job, up to the limit, in a transaction that has locked the job. Returns whether there
 * is room for more.
 */
export async function appendLines(
  tx: Executor,
  job: Pick<JobRow, 'id' | 'log_lines' | 'log_bytes' | 'log_position'>,
  { lines, at, position }: NewLines,
  limit: LogLimit,
): Promise<boolean> {
  if (job.log_position === FULL) return false;
  let bytes = job.log_bytes;
  const kept: string[] = [];
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > limit.bytes) break;
    kept.push(line);
  }
  const full = bytes > limit.bytes;
  if (full) kept.push(limit.note);
  const rows = piecesOf(job.id, job.log_lines, at, kept);
  for (let from = 0; from < rows.length; from += 100)
    await tx
      .insertInto('job_logs')
      .values(rows.slice(from, from + 100))
      .execute();
  await updateJob(tx, job.id, {
    log_position: full ? FULL : position,
    log_lines: job.log_lines + kept.length,
    log_bytes: Math.min(bytes, limit.bytes),
  });
  return !full;
}

function piecesOf(jobId: string, first: number, at: number, lines: readonly string[]): JobLogRow[] {
  const rows: JobLogRow[] = [];
  let piece: string[] = [];
  let size = 0;
  let line = first;
  const end = () => {
    if (piece.length === 0) return;
    rows.push({ job_id: jobId, line, at, count: piece.length, text: piece.join('\n') });
    line += piece.length;
    piece = [];
    size = 0;
  };
  for (const text of lines) {
    if (size + text.length > MAX_PIECE_LENGTH) end();
    piece.push(text);
    size += text.length + 1;
  }
  end();
  return rows;
}

/** Bounds the memory of a reader of a long log: each piece becomes about three times its length of events. */
const MAX_PIECES_A_READ = 2;

/** Returns pieces of a log, beginning with the piece that contains a line. */
export const piecesFrom = (executor: ReadExecutor, jobId: string, line: number): Promise<JobLogRow[]> =>
  executor
    .selectFrom('job_logs')
    .selectAll()
    .where('job_id', '=', jobId)
    .where(
      'line',
      '>=',
      sql<number>`coalesce((select max(line) from job_logs where job_id = ${jobId} and line <= ${line}), 0)`,
    )
    .orderBy('line')
    .limit(MAX_PIECES_A_READ)
    .execute();
