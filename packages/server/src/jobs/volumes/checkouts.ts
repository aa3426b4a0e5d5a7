import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { codeOf } from '../../platform/error-text.ts';
import { type Launch, NotYet } from '../runners/runner.ts';
import { specificationOf } from '../runs/specification.ts';
import { type LaunchStanding, launchStanding } from '../runs/standing.ts';
import { findJob } from '../runs/store.ts';
import { isWritable, type Volume, type VolumeFiles } from './volume-files.ts';

/** The preparation of the folders of one attempt. */
interface Preparation {
  readonly work: Promise<void>;
  readonly abort: AbortController;
  /** Undefined while it is going on. */
  outcome: 'done' | { readonly error: unknown } | undefined;
}

interface EndedJob {
  readonly jobId: string;
  readonly standing: LaunchStanding;
  readonly volumes?: readonly Volume[] | undefined;
}

export type Checkouts = ReturnType<typeof createCheckouts>;

const UNFINISHED = '.unfinished';

/**
 * The folders with the files of repositories and buckets that jobs mount, below the folder of volumes: each attempt has a folder of
 * its own, named after its key. A folder without the suffix is complete, so that another process can continue after a
 * crash.
 */
export function createCheckouts(directory: string, files: Pick<VolumeFiles, 'write' | 'readBack'>) {
  const root = join(directory, 'checkouts');
  const preparations = new Map<string, Preparation>();
  const closing = new AbortController();
  const folderOf = (key: string) => join(root, key);

  async function write(key: string, volumes: readonly Volume[], signal: AbortSignal): Promise<void> {
    if (await isThere(folderOf(key))) return;
    const unfinished = folderOf(key) + UNFINISHED;
    await rm(unfinished, { recursive: true, force: true });
    // The engine must reach the folder, and nobody else of the machine needs to.
    await mkdir(root, { recursive: true, mode: 0o700 });
    await files.write(unfinished, volumes, signal);
    await rename(unfinished, folderOf(key));
  }

  function begin(key: string, volumes: readonly Volume[]): Preparation {
    const abort = new AbortController();
    const preparation: Preparation = { work: write(key, volumes, abort.signal), abort, outcome: undefined };
    preparation.work.then(
      () => {
        preparation.outcome = 'done';
      },
      (error: unknown) => {
        preparation.outcome = { error };
      },
    );
    preparations.set(key, preparation);
    return preparation;
  }

  async function stop(key: string): Promise<void> {
    const preparation = preparations.get(key);
    preparation?.abort.abort();
    await preparation?.work.catch(() => {});
  }

  async function forget(key: string): Promise<void> {
    await stop(key);
    preparations.delete(key);
    for (const folder of [folderOf(key), folderOf(key) + UNFINISHED])
      await rm(folder, { recursive: true, force: true }).catch(ignoreClosed);
  }

  return {
    /**
     * Returns the folder of each volume. Throws `NotYet` while the folders are being made, and a `LaunchFailure` if they
     * cannot be.
     */
    async prepare({ key, specification: { volumes = [] } }: Launch): Promise<string[]> {
      if (volumes.length === 0) return [];
      const { outcome } = preparations.get(key) ?? begin(key, volumes);
      if (outcome === undefined)
        throw new NotYet(`The files of ${volumes.map(({ source }) => source).join(', ')} are being prepared`);
      if (outcome !== 'done') {
        preparations.delete(key);
        throw outcome.error;
      }
      return volumes.map((_, at) => join(folderOf(key), String(at)));
    },

    stop,
    forget,

    /** Gives buckets what an attempt that has ended changed in its folders; returns a sentence if that cannot be. */
    async readBack(key: string, { volumes = [], ...job }: EndedJob): Promise<string | undefined> {
      if (!volumes.some(isWritable) || !(await isThere(folderOf(key)))) return undefined;
      return files.readBack(folderOf(key), { ...job, volumes, signal: closing.signal });
    },

    /** Removes the folders of all attempts except these. */
    async sweep(keys: ReadonlySet<string>): Promise<void> {
      const found = await readdir(root).catch(() => []);
      const known = new Set([...found.map((name) => name.replace(UNFINISHED, '')), ...preparations.keys()]);
      for (const key of known) if (!keys.has(key)) await forget(key);
    },

    async close(): Promise<void> {
      closing.abort();
      for (const key of preparations.keys()) await stop(key);
    },
  };
}

/** Returns the function that ends the work of checkouts for the attempt of a job. */
export const createReadBack =
  ({ read, checkouts }: { readonly read: ReadExecutor; readonly checkouts: Checkouts | undefined }) =>
  async (jobId: string, key: string): Promise<string | undefined> => {
    const job = checkouts && (await findJob(read, jobId));
    if (!job) return undefined;
    return checkouts.readBack(key, { jobId, standing: launchStanding(job), volumes: specificationOf(job).volumes });
  };

const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );

/** What a container made for itself alone stays until the operator, or a sweep of a hub with more rights, deletes it. */
function ignoreClosed(error: unknown): void {
  if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(codeOf(error) ?? '')) throw error;
}
