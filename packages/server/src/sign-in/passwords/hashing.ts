import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { HubError } from '../../platform/http/errors.ts';

/** The parameters of argon2id, the second choice of OWASP: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** The maximum number of concurrent hashes; each takes a processor and 19 MiB. */
const MAX_RUNNING = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
const MAX_WAITING = 200;
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
}

/** Hashes passwords with argon2id off the event loop, a few at a time; further callers wait in turn. */
export function createPasswordHashing(): PasswordHashing {
  const waiting: (() => void)[] = [];
  let running = 0;
  let dummy: Promise<string> | undefined;

  async function withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (running >= MAX_RUNNING) {
      if (waiting.length >= MAX_WAITING)
        throw new HubError(503, 'Too many people are signing in at the moment; try again in a few seconds', {
          headers: { 'retry-after': RETRY_AFTER_SECONDS },
        });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  const hashed = (password: string) => withSlot(() => hash(normalized(password), COST));

  return {
    hash: hashed,
    async matches(stored, password) {
      dummy ??= hashed('the password of nobody');
      const against = stored ?? (await dummy);
      const isRight = await withSlot(() => verify(against, normalized(password)));
      return isRight && stored !== undefined;
    },
  };
}
