import type { Fault } from '../runs/policy.ts';
import type { StoredSpecification } from '../runs/specification.ts';

/** One attempt of a job, to be begun. */
export interface Launch {
  /** Names the attempt to its runner, now and after a restart: letters, digits and dashes. */
  readonly key: string;
  readonly specification: StoredSpecification;
  /** All of it, secrets and what is built in included. */
  readonly environment: Readonly<Record<string, string>>;
  /** Those of the job. */
  readonly labels: Readonly<Record<string, string>>;
}

/** How it is with an attempt. No exit code: nobody knows how it ended, unless there is a reason. */
export type AttemptState =
  | { readonly state: 'running' }
  | {
      readonly state: 'ended';
      readonly exitCode: number | null;
      /** In the place of the exit code, in a sentence for its owner. */
      readonly reason?: string;
      /** The engine has ended it because it took too long. */
      readonly timedOut?: boolean;
    };

/** What an attempt uses, with all that it began. */
export interface Usage {
  /** Milliseconds of one core, since its beginning. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** What there is, for it or for all. */
  readonly memoryTotalBytes: number;
}

/** Output after a position, and the position after it. */
export interface Output {
  readonly bytes: Buffer;
  readonly position: string;
}

/** The position before all output, for every runner. */
export const START = '';

/** What a runner cannot do for a job; without a path, it can run none. */
export interface Refusal {
  readonly path: Fault['path'] | undefined;
  readonly message: string;
}

/** Why an attempt could not be begun, in a sentence for its owner. */
export class LaunchFailure extends Error {
  override name = 'LaunchFailure';
}

/** What an attempt needs is on its way: it is to be begun again soon. The message is for its owner. */
export class NotYet extends Error {
  override name = 'NotYet';
}

/**
 * What runs jobs: an engine that is there already. The hub may die between any two calls, and another process of it goes
 * on: whatever a runner knows it finds by the key alone. Every verb may come twice.
 */
export interface Runner {
  readonly name: string;
  /** What the owner of a job should know of how it is run. */
  readonly note: string | null;
  refusal(specification: StoredSpecification): Refusal | undefined;
  /** Begins an attempt. Of several calls with one key, also of different processes, one begins it. Throws a `LaunchFailure` or a `NotYet`. */
  start(launch: Launch): Promise<void>;
  look(key: string): Promise<AttemptState>;
  /** At most so many bytes, in the order in which they were written; none where there is nothing new. */
  read(key: string, position: string, most: number): Promise<Output>;
  /** Absent where it does not measure; undefined for what does not run. */
  measure?(key: string): Promise<Usage | undefined>;
  /** No more of the output is wanted. */
  discard(key: string): Promise<void>;
  /** Ends it at once with all that it began, and answers when nothing of it is left: it will not begin any more either. */
  stop(key: string): Promise<void>;
  /** Removes what is left of an attempt that has ended. */
  forget(key: string): Promise<void>;
  /** Stops and forgets every attempt but these: of accounts that are gone. */
  sweep(keys: ReadonlySet<string>): Promise<void>;
  /** Lets go of the engine; what runs there goes on. */
  close?(): Promise<void>;
}
