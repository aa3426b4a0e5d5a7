import type { Writable } from 'node:stream';

interface Written {
  readonly rows: number;
  /** The files of repositories that were missing or damaged. */
  readonly faulty: readonly string[];
}

interface Target {
  /** Takes the rows of the database, and is ended. */
  readonly output: Writable;
  /** The path of the output; the files of repositories go beside it. Undefined: they are left out. */
  readonly partial: string | undefined;
  /** Ends the work. */
  readonly signal: AbortSignal;
}

/** Writes a backup of the whole hub, at a pace that leaves room for others. */
export type WriteBackup = (target: Target) => Promise<Written>;

/** Deletes the files of repositories beside the backups that none of them needs any more, at the same pace. */
export type PruneFiles = (signal: AbortSignal) => Promise<Pruned>;

interface Pruned {
  readonly files: number;
  readonly bytes: number;
  /** Why nothing may be deleted; names a file among the backups. */
  readonly hindrance?: string | undefined;
}
