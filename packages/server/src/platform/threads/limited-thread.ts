import { type ResourceLimits, Worker } from 'node:worker_threads';

/** A thread that works on one input at a time. */
export interface LimitedThread<Input, Output> {
  /**
   * Returns undefined for an input that takes too long or crashes the thread. Rejects if no thread can be started. The
   * memory in `moved` goes to the thread without being copied; the caller cannot use it any more.
   */
  run(input: Input, moved?: readonly ArrayBuffer[]): Promise<Output | undefined>;
  close(): Promise<void>;
}

interface Options {
  /** The source text of the thread, which posts a message once it is ready, and then one for each message it receives. */
  readonly source: string;
  readonly data: unknown;
  /** The CPU time for one input. */
  readonly limitMs: number;
  /** A thread that needs more is terminated without harm to the process. */
  readonly resources: ResourceLimits;
}

/** The maximum wait for an input, however busy the machine is. */
const MAX_WAIT_MS = 10_000;

/**
 * The interval at which the wait is checked, and the most that one check counts, in case the whole process was
 * suspended.
 */
const LOOK_MS = 500;

/** Returns a thread's source text: some compilers wrap functions in `__name`. Threads run text, because the sources are TypeScript. */
export const programText = (work: string): string => `const __name = (made) => made;\n${work}`;

/**
 * Creates a thread that starts with the first input and restarts after it has ended. An idle thread does not keep the
 * process alive.
 */
export function createLimitedThread<Input, Output>({
  source,
  data,
  limitMs,
  resources,
}: Options): LimitedThread<Input, Output> {
  let begun: Promise<Worker> | undefined;

  function begin(): Promise<Worker> {
    const worker = new Worker(source, {
      eval: true,
      // The thread gets neither environment variables nor loader options of the process.
      env: {},
      execArgv: [],
      resourceLimits: resources,
      workerData: data,
    });
    return new Promise((resolve, reject) => {
      worker.once('message', () => {
        worker.unref();
        resolve(worker);
      });
      worker.on('error', reject);
      worker.once('exit', () => {
        begun = undefined;
        reject(new Error('The thread ended'));
      });
    });
  }

  const runIn = (worker: Worker, input: Input, moved: readonly ArrayBuffer[]): Promise<Output | undefined> =>
    new Promise((resolve) => {
      const left = timeLeft(limitMs);
      let answered = false;
      const settle = (answer?: Output) => {
        answered = true;
        clearTimeout(timer);
        worker.off('message', settle).off('exit', ended).unref();
        resolve(answer);
      };
      const ended = () => settle();
      function check(): void {
        // A result that arrived while the process was busy still counts.
        if (left() <= 0) setImmediate(() => answered || void worker.terminate());
        else timer = setTimeout(check, Math.min(left(), LOOK_MS));
      }
      let timer = setTimeout(check, Math.min(limitMs, LOOK_MS));
      worker.ref();
      worker.once('message', settle).once('exit', ended).postMessage(input, moved);
    });

  return {
    async run(input, moved = []) {
      begun ??= begin();
      return runIn(await begun, input, moved);
    },
    async close() {
      await begun?.then(
        (worker) => worker.terminate(),
        () => {},
      );
    },
  };
}

/**
 * Returns a function that tells the remaining time of a thread, measured in CPU time, since waiting for a processor on
 * a busy machine does not count.
 */
function timeLeft(limitMs: number): () => number {
  const from = process.cpuUsage();
  let waited = 0;
  let lookedAt = performance.now();
  return () => {
    const { user, system } = process.cpuUsage(from);
    const now = performance.now();
    waited += Math.min(now - lookedAt, LOOK_MS);
    lookedAt = now;
    return Math.min(limitMs - (user + system) / 1000, MAX_WAIT_MS - waited);
  };
}
