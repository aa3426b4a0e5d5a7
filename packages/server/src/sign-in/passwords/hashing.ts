import { availableParallelism } from 'node:os';
import { HubError } from '../../platform/http/errors.ts';
import { COST, createHashingThread, type HashingThread } from './hashing-thread.ts';

/** The number of threads; each takes a processor and 19 MiB for a hash. */
const THREADS = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
/** The maximum number of callers that wait; further ones get 503. */
export const MAX_WAITING = 200;
const RETRY_AFTER_SECONDS = '10';

/** Returns a password in one normal form of Unicode, whichever form was typed. */
const normalized = (password: string): string => password.normalize('NFC');

/** Returns whether a stored hash has other parameters than new ones. */
export const isOutdated = (stored: string): boolean =>
  !stored.startsWith(`$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`);

export interface PasswordHashing {
  /** Returns the hash of a password in PHC format. Throws 503 if too many callers wait. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Returns whether a password matches; false, after the same time, without a stored hash. Throws 503 if too many
   * callers wait.
   */
  readonly matches: (stored: string | undefined, password: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** Hashes passwords with argon2id in threads, a few at a time; further callers wait in turn. */
export function createPasswordHashing(maxWaiting = MAX_WAITING): PasswordHashing {
  const threads = Array.from({ length: THREADS }, createHashingThread);
  const free = [...threads];
  const waiting: ((thread: HashingThread) => void)[] = [];
  let dummy: Promise<string> | undefined;

  async function run(password: string, stored?: string): Promise<string | boolean> {
    if (free.length === 0 && waiting.length >= maxWaiting) throw tooBusy();
    const thread = free.pop() ?? (await new Promise<HashingThread>((resolve) => waiting.push(resolve)));
    try {
      const result = await thread.run({ password: normalized(password), ...(stored !== undefined && { stored }) });
      if (result === undefined) throw tooBusy();
      return result;
    } finally {
      const next = waiting.shift();
      if (next) next(thread);
      else free.push(thread);
    }
  }

  const hash = async (password: string) => String(await run(password));

  return {
    hash,
    async matches(stored, password) {
      dummy ??= hash('the password of nobody').catch((error: unknown) => {
        dummy = undefined;
        throw error;
      });
      const isRight = await run(password, stored ?? (await dummy));
      return isRight === true && stored !== undefined;
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}

export const tooBusy = () =>
  new HubError(503, 'Too many people are signing in at the moment; try again in a few seconds', {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
