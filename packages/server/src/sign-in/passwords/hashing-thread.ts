import { createRequire } from 'node:module';
import type { Options } from '@node-rs/argon2';
import { createLimitedThread, type LimitedThread, programText } from '../../platform/threads/limited-thread.ts';

/** The parameters of argon2id, the second choice of OWASP: 19 MiB, two passes, one lane. */
export const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * The priority of the thread, from -20 to 19: where requests and hashes want the same processor, requests get it nine
 * times of ten.
 */
const NICENESS = 10;

/** A hash takes 50 ms of processor time; a thread that needs this much hangs. */
const MAX_HASH_MS = 20_000;
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };

interface Work {
  /** The path of the library. */
  readonly library: string;
  readonly cost: Options;
  readonly niceness: number;
}

/** A password to hash, or to compare with a stored hash. */
interface Input {
  readonly password: string;
  readonly stored?: string;
}

/** Runs in the thread from its own source text, so it must refer to nothing but its parameters. */
function work(require: NodeJS.Require): void {
  const { parentPort, workerData }: typeof import('node:worker_threads') = require('node:worker_threads');
  const { setPriority }: typeof import('node:os') = require('node:os');
  const { library: path, cost, niceness }: Work = workerData;
  const { hashSync, verifySync }: typeof import('@node-rs/argon2') = require(path);
  try {
    // On Linux, 0 stands for the calling thread; elsewhere it stands for the process, which must keep its priority.
    if (process.platform === 'linux') setPriority(0, niceness);
  } catch {
    // A sandbox that forbids it costs others some time.
  }
  parentPort?.on('message', ({ password, stored }: Input) =>
    parentPort.postMessage(stored === undefined ? hashSync(password, cost) : verifySync(stored, password)),
  );
  parentPort?.postMessage('ready');
}

export type HashingThread = LimitedThread<Input, string | boolean>;

/** Creates a thread that hashes passwords with less priority than everything else in the process. */
export const createHashingThread = (): HashingThread =>
  createLimitedThread({
    source: programText(`(${work.toString()})(require)`),
    data: {
      library: createRequire(import.meta.url).resolve('@node-rs/argon2'),
      cost: COST,
      niceness: NICENESS,
    } satisfies Work,
    limitMs: MAX_HASH_MS,
    resources: RESOURCES,
  });
