import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Launch, NotYet } from '../runners/runner.ts';
import { isRepo, type RepoVolumes, type Volume } from './repo-volumes.ts';

/** The preparation of the folders of one attempt. */
interface Preparation {
  readonly work: Promise<void>;
  readonly abort: AbortController;
  /** Undefined while it is going on. */
  outcome: 'done' | { readonly error: unknown } | undefined;
}

export type Checkouts = ReturnType<typeof createCheckouts>;

const UNFINISHED = '.unfinished';

/**
 * The folders with the files of repositories that jobs mount, below the folder of volumes: each attempt has a folder of
 * its own, named after its key. A folder without the suffix is complete, so that another process can continue after a
 * crash.
 */
export function createCheckouts(directory: string, volumesOfRepos: Pick<RepoVolumes, 'write'>) {
  const root = join(directory, 'checkouts');
  const preparations = new Map<string, Preparation>();
  const folderOf = (key: string) => join(root, key);

  async function write(key: string, volumes: readonly Volume[], signal: AbortSignal): Promise<void> {
    if (await isThere(folderOf(key))) return;
    const unfinished = folderOf(key) + UNFINISHED;
    await rm(unfinished, { recursive: true, force: true });
    // The engine must reach the folder, and nobody else of the machine needs to.
    await mkdir(root, { recursive: true, mode: 0o700 });
    await volumesOfRepos.write(unfinished, volumes, signal);
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
      await rm(folder, { recursive: true, force: true });
  }

  return {
    /**
     * Returns the folder of each volume that is a repository. Throws `NotYet` while the folders are being made, and a
     * `LaunchFailure` if they cannot be.
     */
    async prepare({ key, specification: { volumes = [] } }: Launch): Promise<(string | undefined)[]> {
      const repos = volumes.filter(isRepo);
      if (repos.length === 0) return [];
      const { outcome } = preparations.get(key) ?? begin(key, volumes);
      if (outcome === undefined)
        throw new NotYet(`The files of ${repos.map(({ source }) => source).join(', ')} are being prepared`);
      if (outcome !== 'done') {
        preparations.delete(key);
        throw outcome.error;
      }
      return volumes.map((volume, at) => (isRepo(volume) ? join(folderOf(key), String(at)) : undefined));
    },

    stop,
    forget,

    /** Removes the folders of all attempts except these. */
    async sweep(keys: ReadonlySet<string>): Promise<void> {
      const found = await readdir(root).catch(() => []);
      const known = new Set([...found.map((name) => name.replace(UNFINISHED, '')), ...preparations.keys()]);
      for (const key of known) if (!keys.has(key)) await forget(key);
    },

    async close(): Promise<void> {
      for (const key of preparations.keys()) await stop(key);
    },
  };
}

const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );
