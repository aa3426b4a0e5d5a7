import type { Fault } from '../runs/policy.ts';
import type { StoredSpecification } from '../runs/specification.ts';

/** An attempt of a job that a runner is to start. */
export interface Launch {
  /** Identifies the attempt to its runner, also after a restart: letters, digits and dashes. */
  readonly key: string;
  readonly specification: StoredSpecification;
  /** All variables of the attempt, including secrets and those that the hub sets. */
  readonly environment: Readonly<Record<string, string>>;
  /** The labels of the job. */
  readonly labels: Readonly<Record<string, string>>;
  /** The folders of its volumes that the hub has prepared, by the places of the volumes. */
  readonly folders?: readonly string[];
}

/** The state of an attempt. If exit code and reason are missing, the outcome is unknown. */
export type AttemptState =
  | { readonly state: 'running' }
  | {
      readonly state: 'ended';
      readonly exitCode: number | null;
      /** A sentence shown to the owner of the job instead of the exit code. */
      readonly reason?: string;
      /** Whether the engine ended the attempt because it took too long. */
      readonly timedOut?: boolean;
    };

/** The resource usage of an attempt with all processes that it started. */
export interface Usage {
  /** Milliseconds of one core, since the attempt began. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** The memory limit of the attempt, or the memory of its machine. */
  readonly memoryTotalBytes: number;
}

/** A piece of the output of an attempt, and the position after that piece. */
export interface Output {
  readonly bytes: Buffer;
  readonly position: string;
}

/** The position before all output, in every runner. */
export const START = '';

/** The reason why a runner cannot run a job. Without a path, the runner cannot run any job. */
export interface Refusal {
  readonly path: Fault['path'] | undefined;
  readonly message: string;
}

/** Thrown if an attempt cannot be started; the message is a sentence for the owner of the job. */
export class LaunchFailure extends Error {
  override name = 'LaunchFailure';
}

/**
 * Thrown while an attempt waits for something, such as its image, so that it is started again soon. The message is for
 * its owner.
 */
export class NotYet extends Error {
  override name = 'NotYet';
}

/**
 * The port to an engine that runs jobs. The hub may die between any two calls and another process may continue, so a
 * runner finds everything by the key of an attempt alone, and every verb may be called twice.
 */
export interface Runner {
  readonly name: string;
  /** Shown to the owner of each job while it runs. */
  readonly note: string | null;
  refusal(specification: StoredSpecification): Refusal | undefined;
  /** Starts an attempt once, however many calls and processes name its key. Throws a `LaunchFailure` or a `NotYet`. */
  start(launch: Launch): Promise<void>;
  inspect(key: string): Promise<AttemptState>;
  /** Returns at most `maxBytes` of the output after a position, in the order of writing. */
  read(key: string, position: string, maxBytes: number): Promise<Output>;
  /** Returns undefined for an attempt that does not run. Absent in a runner that cannot measure. */
  measure?(key: string): Promise<Usage | undefined>;
  /** Discards the output, which nobody will read. */
  discard(key: string): Promise<void>;
  /** Ends an attempt with everything that it started, and prevents it from starting. Resolves once nothing is left. */
  stop(key: string): Promise<void>;
  /** Removes the remains of an ended attempt, such as its container. */
  forget(key: string): Promise<void>;
  /** Stops and forgets all attempts except these: the jobs of the others no longer exist. */
  sweep(keys: ReadonlySet<string>): Promise<void>;
  /** Closes the connections to the engine; attempts continue to run. */
  close?(): Promise<void>;
}
