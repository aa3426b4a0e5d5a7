import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckOutFault, type ContentParts } from '../../content/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { codeOf } from '../../platform/error-text.ts';
import { HubError } from '../../platform/http/errors.ts';
import { findRepo, type Repository } from '../../repositories/index.ts';
import { LaunchFailure, type Refusal } from '../runners/runner.ts';
import type { StoredSpecification } from '../runs/specification.ts';

export type Volume = NonNullable<StoredSpecification['volumes']>[number];
type RepoVolume = Volume & { readonly type: Exclude<Volume['type'], 'bucket'> };

interface Dependencies {
  readonly read: ReadExecutor;
  readonly contents: Pick<ContentParts, 'commitOf' | 'checkOut'>;
  /** The maximum size of the files that one attempt mounts. */
  readonly maxBytes: number;
}

export type RepoVolumes = ReturnType<typeof createRepoVolumes>;

/** The maximum number of files and folders that one attempt mounts. */
const MAX_ENTRIES = 500_000;
/** The space that is left free on the disk. */
const MARGIN_BYTES = 1024 ** 3;

export const isRepo = (volume: Volume): volume is RepoVolume => volume.type !== 'bucket';

/** The repositories among the volumes of jobs. */
export function createRepoVolumes({ read, contents, maxBytes }: Dependencies) {
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

  async function spaceIn(folder: string): Promise<number> {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize - MARGIN_BYTES;
    if (free <= 0) throw new CheckOutFault('there is no space for their files on this hub');
    return Math.min(free, maxBytes);
  }

  async function writeAll(folder: string, volumes: readonly Volume[], signal: AbortSignal): Promise<void> {
    await mkdir(folder);
    let left = { bytes: await spaceIn(folder), entries: MAX_ENTRIES };
    for (const [at, volume] of volumes.entries()) {
      if (!isRepo(volume)) continue;
      const { type, source, path, revision = 'main' } = volume;
      const repo = await repoOf(volume);
      const commit = repo && (await commitOf(repo, volume));
      if (!repo || commit === undefined) throw new LaunchFailure(`The ${type} ${source} has no revision ${revision}`);
      const target = { folder: join(folder, String(at)), max: left, signal };
      const used = await contents
        .checkOut({ repoId: repo.id, commit, path }, target)
        .catch((error: unknown) => rethrow(error, `The ${type} ${source} cannot be mounted`));
      left = { bytes: left.bytes - used.bytes, entries: left.entries - used.entries };
    }
  }

  return {
    /** Returns why a repository cannot be mounted at its revision; undefined if all can. */
    async refusal(volumes: readonly Volume[]): Promise<Refusal | undefined> {
      for (const [at, volume] of volumes.entries()) {
        const repo = isRepo(volume) ? await repoOf(volume) : undefined;
        if (repo && isRepo(volume) && (await commitOf(repo, volume)) === undefined)
          return { path: `volumes.${at}.revision`, message: `must be a revision of ${volume.source}` };
      }
      return undefined;
    },

    /**
     * Writes the files of each repository into a subfolder of a new folder, named by the place of the volume. Throws a
     * `LaunchFailure` if that cannot be.
     */
    write: (folder: string, volumes: readonly Volume[], signal: AbortSignal): Promise<void> =>
      writeAll(folder, volumes, signal).catch((error: unknown) => rethrow(error, 'The volumes cannot be mounted')),
  };
}

const FULL_CODES = ['ENOSPC', 'EDQUOT'];
const CLOSED_CODES = ['EACCES', 'EPERM', 'EROFS'];
/** The codes for names that the file system does not accept. */
const NAME_CODES = ['EEXIST', 'ENAMETOOLONG', 'EILSEQ', 'EINVAL'];

/** Throws a `LaunchFailure` for what will not pass by itself; other errors stay as they are. */
function rethrow(error: unknown, what: string): never {
  const code = codeOf(error) ?? '';
  if (error instanceof CheckOutFault) throw new LaunchFailure(`${what}: ${error.message}`);
  if (FULL_CODES.includes(code)) throw new LaunchFailure(`${what}: there is no space for their files on this hub`);
  if (CLOSED_CODES.includes(code)) throw new LaunchFailure(`${what}: the hub cannot write to its folder of volumes`);
  if (NAME_CODES.includes(code)) throw new LaunchFailure(`${what}: the disk does not accept the name of a file`);
  throw error;
}
