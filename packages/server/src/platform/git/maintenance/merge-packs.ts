import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { DurableFiles } from '../../durable-folders.ts';
import { nameObject } from '../objects/object.ts';
import { ID_BYTES, idsOf } from '../packs/object-ids.ts';
import { createPackWriter } from '../packs/pack-writer.ts';
import type { GitRepository } from '../repository.ts';
import { runGit } from '../stock/git-process.ts';
import { GitUnavailable } from '../stock/git-version.ts';

interface Merging {
  readonly gitDir: string;
  /** Reads objects of the same repository. */
  readonly repository: Pick<GitRepository, 'read'>;
  /** The names of the packs, without endings. */
  readonly names: readonly string[];
  /** A folder for the new pack, like that of a repository. */
  readonly folder: string;
  /** Ends the work at once. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes the objects of some packs into one new pack, with deltas if the machine has stock git. Throws the reason of the
 * signal if that ends the work.
 */
export async function mergePacks(merging: Merging, files: DurableFiles): Promise<void> {
  await mkdir(join(merging.folder, 'objects', 'pack'), { recursive: true, mode: 0o700 });
  try {
    await mergeWithGit(merging);
  } catch (error) {
    if (!(error instanceof GitUnavailable)) throw error;
    await mergeWithoutGit(merging, files);
  }
}

async function mergeWithGit({ gitDir, names, folder, signal }: Merging): Promise<void> {
  const objects = join(folder, 'objects');
  await runGit({
    args: [
      ...['--git-dir', gitDir, 'pack-objects', '--stdin-packs', '--delta-base-offset', '--quiet'],
      join(objects, 'pack', 'pack'),
    ],
    environment: {
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(gitDir, 'objects')),
    },
    input: Buffer.from(names.map((name) => `${name}.pack\n`).join('')),
    signal,
  });
}

/** Writes the objects into one new pack without deltas. */
export async function mergeWithoutGit(
  { gitDir, repository, names, folder, signal }: Merging,
  files: DurableFiles,
): Promise<void> {
  const writer = await createPackWriter(join(folder, 'objects', 'pack'), files);
  const added = new Set<string>();
  try {
    for (const name of names) {
      await using index = await open(join(gitDir, 'objects', 'pack', `${name}.idx`), 'r');
      const ids = await idsOf(index);
      for (let at = 0; at < ids.length; at += ID_BYTES) {
        signal?.throwIfAborted();
        const id = ids.toString('hex', at, at + ID_BYTES);
        if (added.has(id)) continue;
        added.add(id);
        await writer.add(await nameObject(await repository.read(id)));
      }
    }
  } catch (error) {
    await writer.discard();
    throw error;
  }
  await writer.finish();
}
