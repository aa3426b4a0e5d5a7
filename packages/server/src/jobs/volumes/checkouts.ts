import { access, mkdir, readdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckOutFault, type ContentParts } from '../../content/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { codeOf } from '../../platform/error-text.ts';
import { HubError } from '../../platform/http/errors.ts';
import { findRepo, type Repository } from '../../repositories/index.ts';
import { type Launch, LaunchFailure, NotYet, type Refusal } from '../runners/runner.ts';
import type { StoredSpecification } from '../runs/specification.ts';

type Volume = NonNullable<StoredSpecification['volumes']>[number];
type RepoVolume = Volume & { readonly type: Exclude<Volume['type'], 'bucket'> };

interface Dependencies {
  readonly read: ReadExecutor;
  readonly contents: Pick<ContentParts, 'commitOf' | 'checkOut'>;
  /** The folder of volumes, as the engine sees it. */
  readonly directory: string;
  /** The maximum size of the files that one attempt mounts. */
  readonly maxBytes: number;
}

/** The preparation of the folders of one attempt. */
interface Preparation {
  readonly work: Promise<void>;
  readonly abort: AbortController;
  /** Undefined while it is going on. */
  outcome: 'done' | { readonly error: unknown } | undefined;
}

export type Checkouts = ReturnType<typeof createCheckouts>;

/** The space that is left free on the disk. */
const MARGIN_BYTES = 1024 ** 3;
const UNFINISHED = '.unfinished';

const isRepo = (volume: Volume): volume is RepoVolume => volume.type !== 'bucket';

/**
 * The files of repositories that jobs mount: each attempt has a folder of its own, named after its key, with a folder for
 * each of its volumes. A folder without the suffix is complete, so that another process can continue after a crash.
 */
export function createCheckouts({ read, contents, directory, maxBytes }: Dependencies) {
  const root = join(directory, 'checkouts');
  const preparations = new Map<string, Preparation>();
  const folderOf = (key: string) => join(root, key);

  async function repoOf({ type, source }: RepoVolume): Promise<Repository | undefined> {
    const [namespace = '', name = ''] = source.split('/');
    return findRepo(read, { type, namespace, name });
  }

  /** Returns the commit of a volume's revision; undefined if the repository has no such revision. */
  async function commitOf(repo: Repository, { revision = 'main' }: RepoVolume): Promise<string | undefined> {
    try {
      return await contents.commitOf(repo, revision);
    } catch (error) {
      if (error instanceof HubError && error.status === 404) return undefined;
      throw error;
    }
  }

  async function requireSpace(): Promise<number> {
    const { bavail, bsize } = await statfs(root);
    const free = bavail * bsize - MARGIN_BYTES;
    if (free <= 0) throw new CheckOutFault('there is no space for their files on this hub');
    return Math.min(free, maxBytes);
  }

  async function checkOutAll(key: string, volumes: readonly Volume[], signal: AbortSignal): Promise<void> {
    // The engine must reach the folder, and nobody else of the machine needs to.
    await mkdir(root, { recursive: true, mode: 0o700 });
    const unfinished = folderOf(key) + UNFINISHED;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished);
    let left = await requireSpace();
    for (const [at, volume] of volumes.entries()) {
      if (!isRepo(volume)) continue;
      const { type, source, path, revision = 'main' } = volume;
      const repo = await repoOf(volume);
      const commit = repo && (await commitOf(repo, volume));
      if (!repo || commit === undefined) throw new LaunchFailure(`The ${type} ${source} has no revision ${revision}`);
      const target = { folder: join(unfinished, String(at)), maxBytes: left, signal };
      left -= await contents
        .checkOut({ repoId: repo.id, commit, path }, target)
        .catch((error: unknown) => rethrowFailure(error, `The ${type} ${source} cannot be mounted`));
    }
    await rename(unfinished, folderOf(key));
  }

  function begin(key: string, volumes: readonly Volume[]): Preparation {
    const abort = new AbortController();
    const work = isThere(folderOf(key)).then((isComplete) =>
      isComplete ? undefined : checkOutAll(key, volumes, abort.signal).catch((error: unknown) => rethrowFailure(error)),
    );
    const preparation: Preparation = { work, abort, outcome: undefined };
    work.then(
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
    /** Returns why a repository cannot be mounted at its revision; undefined if all can. */
    async refusal({ volumes = [] }: StoredSpecification): Promise<Refusal | undefined> {
      for (const [at, volume] of volumes.entries()) {
        const repo = isRepo(volume) ? await repoOf(volume) : undefined;
        if (repo && isRepo(volume) && (await commitOf(repo, volume)) === undefined)
          return { path: `volumes.${at}.revision`, message: `must be a revision of ${volume.source}` };
      }
      return undefined;
    },

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

const FULL_CODES = ['ENOSPC', 'EDQUOT'];
const CLOSED_CODES = ['EACCES', 'EPERM', 'EROFS'];
/** The codes for names that the file system does not accept. */
const NAME_CODES = ['EEXIST', 'ENAMETOOLONG', 'EILSEQ', 'EINVAL'];

/** Throws a `LaunchFailure` for what will not pass by itself; other errors stay as they are. */
function rethrowFailure(error: unknown, what = 'The volumes cannot be mounted'): never {
  const code = codeOf(error) ?? '';
  if (error instanceof CheckOutFault) throw new LaunchFailure(`${what}: ${error.message}`);
  if (FULL_CODES.includes(code)) throw new LaunchFailure(`${what}: there is no space for its files on this hub`);
  if (CLOSED_CODES.includes(code)) throw new LaunchFailure(`${what}: the hub cannot write to its folder of volumes`);
  if (NAME_CODES.includes(code)) throw new LaunchFailure(`${what}: the disk does not accept the name of a file`);
  throw error;
}
