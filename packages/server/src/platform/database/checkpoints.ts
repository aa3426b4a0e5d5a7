import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** So long after a commit the log is written back, with what came meanwhile: pages that change often go once for many. */
const AFTER_MS = 10_000;
/** Pages of 4 KiB in the log at which it has to begin anew: under load nothing else makes it. */
const MAX_LOG = 40_000;

export interface CheckpointPace {
  readonly afterMs?: number;
  readonly longestLog?: number;
}

export interface Checkpoints {
  /** Something was committed. */
  committed(): void;
  /** Between two transactions: whether the log has become so long that it must begin anew now. */
  isDue(): boolean;
  /** Resolves when nothing of it works any more. */
  close(): Promise<void>;
}

/** What the thread answers: pages in the log. */
interface Answer {
  readonly log: number;
}

/** The other order is to write back. */
const END = 'end';

/**
 * Runs in the thread, from its text: uses nothing from around it. A passive checkpoint takes no lock that readers or
 * writers wait for.
 */
function checkpointer(require: NodeJS.Require): void {
  const { parentPort, workerData } = require('node:worker_threads') as typeof import('node:worker_threads');
  const { driver, file, longest, end } = workerData as { driver: string; file: string; longest: number; end: string };
  const Libsql = require(driver) as typeof import('libsql');
  const database = new Libsql(file);
  database.exec('pragma synchronous = full');
  const writeBack = () => database.prepare('pragma wal_checkpoint(passive)').get() as Answer;
  parentPort?.on('message', (order: string) => {
    if (order === end) {
      database.close();
      parentPort.close();
      return;
    }
    let answer = writeBack();
    // What came meanwhile: little is left for who makes the log begin anew.
    if (answer.log > longest) answer = writeBack();
    parentPort?.postMessage(answer);
  });
}

/**
 * Writes SQLite's log back to the database in a thread of its own: it is many times the work of a commit, and in the
 * thread of the hub all requests would wait for it. The thread begins when there is something to write back, and ends
 * by itself: one that is terminated within the driver takes the process along (a panic in Rust).
 */
export function createCheckpoints(
  file: string,
  { afterMs = AFTER_MS, longestLog = MAX_LOG }: CheckpointPace = {},
): Checkpoints {
  let thread: Worker | undefined;
  let ended: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let due = false;
  let working = false;
  let again = false;
  let closed = false;

  function begin(): Worker {
    const driver = createRequire(import.meta.url).resolve('libsql');
    const begun = new Worker(`(${checkpointer.toString()})(require)`, {
      eval: true,
      workerData: { driver, file, longest: longestLog, end: END },
    });
    begun.unref();
    begun.on('message', ({ log }: Answer) => {
      working = false;
      due = log > longestLog;
      if (again) schedule();
    });
    // Until another thread begins, the log is written back when it has become long.
    begun.on('error', () => {
      begun.ref();
      thread = undefined;
      working = false;
      due = true;
    });
    ended = new Promise((resolve) => begun.once('exit', () => resolve()));
    return begun;
  }

  function schedule(): void {
    again = working;
    if (working || closed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      working = true;
      thread ??= begin();
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
    async close() {
      closed = true;
      clearTimeout(timer);
      thread?.ref();
      thread?.postMessage(END);
      await ended;
    },
  };
}
