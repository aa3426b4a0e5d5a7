import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Buckets } from '../../buckets/index.ts';
import { CheckOutFault, type CheckOutSize, type CheckOutTarget, type ContentParts } from '../../content/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { codeOf } from '../../platform/error-text.ts';
import { HubError } from '../../platform/http/errors.ts';
import { findRepo, type Repository } from '../../repositories/index.ts';
import { LaunchFailure, type Refusal } from '../runners/runner.ts';
import type { StoredSpecification } from '../runs/specification.ts';
import type { LaunchStanding } from '../runs/standing.ts';
import type { Writers } from './writers.ts';

export type Volume = NonNullable<StoredSpecification['volumes']>[number];

/** An attempt that does not run any more. */
interface EndedAttempt {
  readonly jobId: string;
  readonly standing: LaunchStanding;
  readonly volumes: readonly Volume[];
  readonly signal: AbortSignal;
}

interface Dependencies {
  readonly read: ReadExecutor;
  readonly contents: Pick<ContentParts, 'commitOf' | 'checkOut'>;
  readonly folders: Buckets['folders'];
  readonly writers: Writers;
  /** The maximum size of the files that one attempt mounts. */
  readonly maxBytes: number;
}

export type VolumeFiles = ReturnType<typeof createVolumeFiles>;

/** The maximum number of files and folders that one attempt mounts. */
const MAX_ENTRIES = 500_000;
/** The space that is left free on the disk. */
const MARGIN_BYTES = 1024 ** 3;

/** Returns whether a job may change the files of a volume. */
export const isWritable = ({ type, readOnly }: Volume): boolean => type === 'bucket' && readOnly !== true;

/** The files of the volumes of jobs. */
export function createVolumeFiles({ read, contents, folders, writers, maxBytes }: Dependencies) {
  async function repoOf({ type, source }: Volume): Promise<Repository | undefined> {
    const [namespace = '', name = ''] = source.split('/');
    return findRepo(read, { type, namespace, name });
  }

  /** Returns the commit of a volume's revision; undefined if the repository has no such revision. */
  async function commitOf(repo: Repository, { revision = 'main' }: Volume): Promise<string | undefined> {
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

  /** Writes the files of one volume into a new folder. Returns their size. */
  async function writeOne(volume: Volume, target: CheckOutTarget): Promise<CheckOutSize> {
    const { type, source, path, revision = 'main' } = volume;
    const repo = await repoOf(volume);
    if (repo && type === 'bucket')
      return folders.writeOut({ bucketId: repo.id, path }, { ...target, writable: isWritable(volume) });
    const commit = repo && type !== 'bucket' ? await commitOf(repo, volume) : undefined;
    if (!repo || commit === undefined)
      throw new LaunchFailure(
        type === 'bucket' ? `There is no bucket ${source}` : `The ${type} ${source} has no revision ${revision}`,
      );
    return contents.checkOut({ repoId: repo.id, commit, path }, target);
  }

  async function writeAll(folder: string, volumes: readonly Volume[], signal: AbortSignal): Promise<void> {
    await mkdir(folder);
    let left = { bytes: await spaceIn(folder), entries: MAX_ENTRIES };
    for (const [at, volume] of volumes.entries()) {
      const used = await writeOne(volume, { folder: folderOf(folder, at), max: left, signal }).catch((error: unknown) =>
        rethrow(error, `The ${volume.type} ${volume.source} cannot be mounted`),
      );
      left = { bytes: left.bytes - used.bytes, entries: left.entries - used.entries };
    }
  }

  return {
    /** Returns why a repository cannot be mounted at its revision; undefined if all can. */
    async refusal(volumes: readonly Volume[]): Promise<Refusal | undefined> {
      for (const [at, volume] of volumes.entries()) {
        const repo = volume.type === 'bucket' ? undefined : await repoOf(volume);
        if (repo && (await commitOf(repo, volume)) === undefined)
          return { path: `volumes.${at}.revision`, message: `must be a revision of ${volume.source}` };
      }
      return undefined;
    },

    /**
     * Writes the files of each volume into a subfolder of a new folder, named by the place of the volume. Throws a
     * `LaunchFailure` if that cannot be.
     */
    write: (folder: string, volumes: readonly Volume[], signal: AbortSignal): Promise<void> =>
      writeAll(folder, volumes, signal).catch((error: unknown) => rethrow(error, 'The volumes cannot be mounted')),

    /**
     * Gives the buckets of an attempt that has ended what it changed in its folders. Returns a sentence for the owner of
     * the job about the first volume for which that cannot be; the others get theirs.
     */
    async readBack(folder: string, { volumes, signal, ...job }: EndedAttempt): Promise<string | undefined> {
      let fault: string | undefined;
      for (const [at, volume] of volumes.entries()) {
        if (!isWritable(volume)) continue;
        const writerNow = (bucketId: string) => writers(job, bucketId);
        await folders.readBack(volume, { folder: folderOf(folder, at), signal, writerNow }).catch((error: unknown) => {
          if (!(error instanceof HubError) || error.status >= 500) throw error;
          fault ??= `The files of the job could not be written to the bucket ${volume.source}: ${reasonOf(error, job.standing)}`;
        });
      }
      return fault;
    },
  };
}

const folderOf = (folder: string, at: number): string => join(folder, String(at));

/** The owner of a job may see it without being able to read the bucket. */
function reasonOf({ status, message }: HubError, { tokenId }: LaunchStanding): string {
  if (![401, 403, 404].includes(status)) return message;
  const by = tokenId === null ? '' : ' with the access token that was used';
  return `whoever created the job may no longer write to it${by}`;
}

const FULL_CODES = ['ENOSPC', 'EDQUOT'];
const CLOSED_CODES = ['EACCES', 'EPERM', 'EROFS'];
/** The codes for names that the file system does not accept. */
const NAME_CODES = ['EEXIST', 'ENAMETOOLONG', 'EILSEQ', 'EINVAL'];

/** Throws a `LaunchFailure` for what will not pass by itself; other errors stay as they are. */
function rethrow(error: unknown, what: string): never {
  const code = codeOf(error) ?? '';
  if (error instanceof LaunchFailure) throw error;
  if (error instanceof CheckOutFault) throw new LaunchFailure(`${what}: ${error.message}`);
  if (FULL_CODES.includes(code)) throw new LaunchFailure(`${what}: there is no space for their files on this hub`);
  if (CLOSED_CODES.includes(code)) throw new LaunchFailure(`${what}: the hub cannot write to its folder of volumes`);
  if (NAME_CODES.includes(code)) throw new LaunchFailure(`${what}: the disk does not accept the name of a file`);
  throw error;
}
