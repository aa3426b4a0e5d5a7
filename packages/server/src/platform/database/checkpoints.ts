import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** So long after a commit the log is written back, with what came meanwhile: pages that change often go once for many. */
const AFTER_MS = 10_000;
/** Pages of 4 KiB in the log at which it has to begin anew: under load nothing else makes it. */
const LONGEST_LOG = 40_000;

export interface CheckpointPace {
  readonly afterMs?: number;
  readonly longestLog?: number;
}

export interface Checkpoints {
  /** Something was committed. */
  committed(): void;
  /** Between two transactions: whether the log has become so long that it must begin anew now. */
  isDue(): boolean;
  close(): void;
}

/** What the thread answers: pages in the log. */
interface Answer {
  readonly log: number;
}

/**
 * Runs in the thread, from its text: uses nothing from around it. A passive checkpoint takes no lock that readers or
 * writers wait for.
 */
function checkpointer(require: NodeJS.Require): void {
  const { parentPort, workerData } = require('node:worker_threads') as typeof import('node:worker_threads');
  const { driver, file, longest } = workerData as { driver: string; file: string; longest: number };
  const Libsql = require(driver) as typeof import('libsql');
  const database = new Libsql(file);
  database.exec('pragma synchronous = full');
  const writeBack = () => database.prepare('pragma wal_checkpoint(passive)').get() as Answer;
  parentPort?.on('message', () => {
    let answer = writeBack();
    // What came meanwhile: little is left for who makes the log begin anew.
    if (answer.log > longest) answer = writeBack();
    parentPort?.postMessage(answer);
  });
}

/**
 * Writes SQLite's log back to the database in a thread of its own: it is many times the work of a commit, and in the
 * thread of the hub all requests would wait for it.
 */
export function createCheckpoints(
  file: string,
  { afterMs = AFTER_MS, longestLog = LONGEST_LOG }: CheckpointPace = {},
): Checkpoints {
  const driver = createRequire(import.meta.url).resolve('libsql');
  const thread = new Worker(`(${checkpointer.toString()})(require)`, {
    eval: true,
    workerData: { driver, file, longest: longestLog },
  });
  thread.unref();
  let timer: NodeJS.Timeout | undefined;
  let due = false;
  let working = false;
  let again = false;
  thread.on('message', ({ log }: Answer) => {
    working = false;
    due = log > longestLog;
    if (again) schedule();
  });
  // Without the thread the log is written back when it has become long.
  thread.on('error', () => {
    working = false;
    due = true;
  });

  function schedule(): void {
    again = working;
    if (working) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      working = true;
      thread.postMessage('write back');
    }, afterMs).unref();
  }

  return {
    committed: schedule,
    isDue() {
      const now = due;
      due = false;
      return now;
    },
    close() {
      clearTimeout(timer);
      void thread.terminate();
    },
  };
}
