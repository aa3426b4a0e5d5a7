import type { Fault } from '../runs/policy.ts';
import type { StoredSpecification } from '../runs/specification.ts';

/** An attempt of a job that a runner is to start. */
export interface Launch {
  /** Names the attempt to its runner, now and after a restart: letters, digits and dashes. */
  readonly key: string;
  readonly specification: StoredSpecification;
  /** Every variable of the attempt: also secrets, and those that the hub sets. */
  readonly environment: Readonly<Record<string, string>>;
  /** The labels of the job. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The state of an attempt. Without exit code and reason, nobody knows how the attempt ended. */
export type AttemptState =
  | { readonly state: 'running' }
  | {
      readonly state: 'ended';
      readonly exitCode: number | null;
      /** Told to the owner of the job instead of the exit code: a sentence. */
      readonly reason?: string;
      /** Whether the engine has ended the attempt because it took too long. */
      readonly timedOut?: boolean;
    };

/** What an attempt uses, with all processes that it has started. */
export interface Usage {
  /** Milliseconds of one core, since the attempt began. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** The limit of the attempt, or the memory of its machine. */
  readonly memoryTotalBytes: number;
}

/** A piece of the output of an attempt, and the position after that piece. */
export interface Output {
  readonly bytes: Buffer;
  readonly position: string;
}

/** The position before all output, in every runner. */
export const START = '';

/** Why a runner cannot run a job. Without a path, the runner can run no job at all. */
export interface Refusal {
  readonly path: Fault['path'] | undefined;
  readonly message: string;
}

/** Thrown where an attempt cannot be started; the message is a sentence for the owner of the job. */
export class LaunchFailure extends Error {
  override name = 'LaunchFailure';
}

/** Thrown while an attempt waits for something, such as its image: start it again soon. The message is for its owner. */
export class NotYet extends Error {
  override name = 'NotYet';
}

/**
 * The port to an engine that runs jobs. The hub may die between any two calls and another process of it go on, so a runner
 * finds everything by the key of an attempt alone, and every verb may be called twice.
 */
export interface Runner {
  readonly name: string;
  /** Shown to the owner of each job while it runs. */
  readonly note: string | null;
  refusal(specification: StoredSpecification): Refusal | undefined;
  /** Starts an attempt once, however many calls and processes name its key. Throws a `LaunchFailure` or a `NotYet`. */
  start(launch: Launch): Promise<void>;
  look(key: string): Promise<AttemptState>;
  /** Returns at most `maxBytes` of the output after a position, in the order in which they were written. */
  read(key: string, position: string, maxBytes: number): Promise<Output>;
  /** Returns undefined for an attempt that does not run. Absent in a runner that cannot measure. */
  measure?(key: string): Promise<Usage | undefined>;
  /** Lets go of the output: nobody reads on. */
  discard(key: string): Promise<void>;
  /** Ends an attempt with everything that it has started, and keeps it from starting. Resolves when nothing is left. */
  stop(key: string): Promise<void>;
  /** Removes what is left of an attempt that has ended, such as its container. */
  forget(key: string): Promise<void>;
  /** Stops and forgets every attempt but these: the jobs of the others are gone. */
  sweep(keys: ReadonlySet<string>): Promise<void>;
  /** Closes the connections to the engine; attempts go on running. */
  close?(): Promise<void>;
}
