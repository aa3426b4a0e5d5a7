import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** The delay from a commit to a checkpoint, which writes a page once even if several commits have changed it. */
const AFTER_MS = 10_000;
/** The size of the log, in pages of 4 KiB, at which it is restarted: under load nothing else restarts it. */
const MAX_LOG = 40_000;

export interface CheckpointPace {
  readonly afterMs?: number;
  readonly longestLog?: number;
}

export interface Checkpoints {
  /** Called after a commit. */
  committed(): void;
  /** Called between two transactions: returns whether the log is so long that it must be restarted now. */
  isDue(): boolean;
  /** Resolves when all work has ended. */
  close(): Promise<void>;
}

/** The response of the thread: pages in the log. */
interface Answer {
  readonly log: number;
}

/** The input of the thread. */
interface ThreadData {
  /** The path of the driver. */
  readonly driver: string;
  readonly file: string;
  /** The number of pages in the log above which the thread runs another checkpoint. */
  readonly longest: number;
  /** The message that ends the thread. */
  readonly end: string;
}

/** The message that ends the thread; any other message starts a checkpoint. */
const END = 'end';

/**
 * Runs in the thread, from its source text, and therefore uses nothing from outside. A passive checkpoint takes no lock
 * that readers or writers wait for.
 */
function checkpointer(require: NodeJS.Require): void {
  const { parentPort, workerData }: typeof import('node:worker_threads') = require('node:worker_threads');
  const { driver, file, longest, end }: ThreadData = workerData;
  const Libsql: typeof import('libsql') = require(driver);
  const database = new Libsql(file);
  database.exec('pragma synchronous = full');
  // The pragma returns one row: busy, log and checkpointed.
  const writeBack = () => database.prepare('pragma wal_checkpoint(passive)').get() as Answer;
  parentPort?.on('message', (order: string) => {
    if (order === end) {
      database.close();
      parentPort.close();
      return;
    }
    let answer = writeBack();
    // Includes commits made meanwhile, so that restarting the log has little left to do.
    if (answer.log > longest) answer = writeBack();
    parentPort?.postMessage(answer);
  });
}

/**
 * Runs checkpoints of SQLite's log in a thread: a checkpoint is many times the work of a commit, and in the main thread
 * all requests would wait for it. The thread starts when there is something to write back, and ends by itself, because
 * terminating a thread inside the driver ends the process (a panic in Rust).
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
      workerData: { driver, file, longest: longestLog, end: END } satisfies ThreadData,
    });
    begun.unref();
    begun.on('message', ({ log }: Answer) => {
      working = false;
      due = log > longestLog;
      if (again) schedule();
    });
    // Until another thread starts, a checkpoint runs only when the log has become long.
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
