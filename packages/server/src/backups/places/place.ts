import type { Writable } from 'node:stream';

/** Where backups are kept. Throws an error with a sentence if the place fails. */
export interface BackupPlace {
  /** The folder, or the address of the bucket with the prefix; without secrets. */
  readonly name: string;
  /**
   * Writes a backup, which has its name once it is whole, and returns its size. `work` ends the output. In a folder, it also
   * gets the path at which the file is until then.
   */
  write<Result>(
    name: string,
    work: (output: Writable, partial?: string) => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly bytes: number }>;
  /** Returns the size of a whole backup; undefined if there is none of that name. */
  sizeOf(name: string): Promise<number | undefined>;
  /** Deletes what a process that died has left of a backup. */
  clear(name: string): Promise<void>;
  /** Deletes a backup if it exists. */
  delete(name: string): Promise<void>;
  close(): Promise<void>;
}
