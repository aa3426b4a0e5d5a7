import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { BlobError } from '../../platform/blobs/blob-store.ts';
import type { S3Objects } from '../../platform/blobs/s3/s3-objects.ts';
import type { DurableFiles } from '../../platform/durable-folders.ts';
import { codeOf } from '../../platform/error-text.ts';
import { temporaryName, writeNewFile } from '../../platform/git/durable-files.ts';
import { damaged } from '../../platform/git/fault.ts';
import type { FinishedPack } from '../../platform/git/packs/finished-pack.ts';
import { indexPack } from '../../platform/git/packs/index-pack.ts';
import { isSoundIndex, isSoundPack } from '../../platform/git/packs/pack-checksum.ts';

/** All keys of git objects. */
export const GIT_PREFIX = 'git/';
/** The object that says which hub the bucket belongs to. */
const OWNER_KEY = `${GIT_PREFIX}owner`;
const PACK_KEY = /^git\/([0-9a-f]{24})\/(pack-[0-9a-f]{40})\.(?:pack|idx)$/;

const keyOf = (repoId: string, name: string, ending: 'pack' | 'idx'): string =>
  `${GIT_PREFIX}${repoId}/${name}.${ending}`;

/** A pack in the bucket; the index of a small pack without deltas follows from it. */
export interface PackInBucket {
  readonly name: string;
  readonly indexed: boolean;
}

const UNAVAILABLE = 'The storage of repositories is not responding; try again in a few seconds';

/** Waits for the bucket, and names what fails. */
async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isFailure = error instanceof BlobError && error.fault === 'unavailable';
    throw isFailure ? new BlobError('unavailable', UNAVAILABLE, { cause: error.cause }) : error;
  }
}

/** Returns whether the bucket broke off while it sent an object. */
const isCutOff = (error: unknown): boolean => /^(UND_ERR_|ECONN|EPIPE|ETIMEDOUT)/.test(codeOf(error) ?? '');

export type PackBucket = ReturnType<typeof createPackBucket>;

/** The packs of repositories in a bucket: `git/<id of the repository>/pack-<SHA-1>.pack`. */
export function createPackBucket(objects: S3Objects) {
  /** Writes an object into a new file; returns whether the object exists. */
  async function writeTo(path: string, source: Promise<Readable | undefined>, files: DurableFiles): Promise<boolean> {
    const bytes = await source;
    if (!bytes) return false;
    await writeNewFile(path, (handle) => writeFile(handle, bytes), files);
    return true;
  }

  /** Writes the index of a downloaded pack; returns whether it exists. */
  async function writeIndex(
    repoId: string,
    { name, indexed }: PackInBucket,
    { packPath, indexPath }: { readonly packPath: string; readonly indexPath: string },
    files: DurableFiles,
  ): Promise<boolean> {
    if (!indexed) {
      const index = await indexPack(await readFile(packPath));
      await writeNewFile(indexPath, (handle) => handle.writeFile(index), files);
      return true;
    }
    if (!(await writeTo(indexPath, objects.get(keyOf(repoId, name, 'idx')), files))) return false;
    if (!(await isSoundIndex(indexPath, name))) throw damaged(`The index of ${name} in the bucket is damaged`);
    return true;
  }

  return {
    put: (repoId: string, { name, packPath, indexPath }: FinishedPack, indexed: boolean): Promise<unknown> =>
      orUnavailable(
        Promise.all([
          objects.putFile(keyOf(repoId, name, 'pack'), packPath),
          indexed && objects.putFile(keyOf(repoId, name, 'idx'), indexPath),
        ]),
      ),

    /**
     * Downloads a pack with its index into a folder, where both appear once they have been compared with their hashes.
     * Returns false if the bucket does not have the pack. Throws a `GitFault` if it is damaged there.
     */
    async download(repoId: string, pack: PackInBucket, folder: string, files: DurableFiles): Promise<boolean> {
      const { name } = pack;
      const [packPath, indexPath] = [temporaryName(folder), temporaryName(folder)];
      try {
        const isThere = await orUnavailable(writeTo(packPath, objects.get(keyOf(repoId, name, 'pack')), files));
        if (!isThere) return false;
        if (!(await isSoundPack(packPath, name))) throw damaged(`${name} in the bucket is damaged`);
        if (!(await orUnavailable(writeIndex(repoId, pack, { packPath, indexPath }, files)))) return false;
        await rename(packPath, join(folder, `${name}.pack`));
        await rename(indexPath, join(folder, `${name}.idx`));
        return true;
      } catch (error) {
        throw isCutOff(error) ? new BlobError('unavailable', UNAVAILABLE, { cause: error }) : error;
      } finally {
        for (const path of [packPath, indexPath]) await rm(path, { force: true });
      }
    },

    /** Gives a repository a pack of another one; returns false if the bucket does not have the pack. */
    copy: (fromId: string, toId: string, { name, indexed }: PackInBucket): Promise<boolean> =>
      orUnavailable(
        Promise.all(
          (indexed ? (['pack', 'idx'] as const) : (['pack'] as const)).map((ending) =>
            objects.copy(keyOf(fromId, name, ending), keyOf(toId, name, ending)),
          ),
        ).then((copied) => copied.every(Boolean)),
      ),

    async delete(repoId: string, name: string): Promise<void> {
      for (const ending of ['pack', 'idx'] as const) await objects.delete(keyOf(repoId, name, ending));
    },

    /** Lists packs, with the times at which they were written; a pack with an index beside it comes twice. */
    async *list(): AsyncGenerator<{ readonly repo_id: string; readonly name: string; readonly since: number }, void> {
      for await (const { key, since } of objects.list(GIT_PREFIX)) {
        const [, repoId, name] = PACK_KEY.exec(key) ?? [];
        if (repoId !== undefined && name !== undefined) yield { repo_id: repoId, name, since };
      }
    },

    /** Returns the id of the hub that the bucket belongs to, if it belongs to one. */
    async owner(): Promise<string | undefined> {
      const stream = await orUnavailable(objects.get(OWNER_KEY));
      if (!stream) return undefined;
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece);
      return Buffer.concat(pieces).toString().trim();
    },

    setOwner: (owner: string): Promise<void> => orUnavailable(objects.putText(OWNER_KEY, `${owner}\n`)),
  };
}
