import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../durable-files.ts';
import { LOOSE_FILE, LOOSE_FOLDER, namesIn } from './object-files.ts';

/** What the `objects` folder of a repository has. */
export interface ObjectCounts {
  readonly looseObjects: number;
  readonly looseBytes: number;
  readonly packs: number;
  /** The size of all packs, without their indexes. */
  readonly packedBytes: number;
}

const PACK = /^pack-[0-9a-f]{40}\.pack$/;

/** Counts loose objects and packs; all are 0 for a folder that does not exist. */
export async function countObjects(objects: string): Promise<ObjectCounts> {
  const loose: number[] = [];
  for (const folder of await namesIn(objects, LOOSE_FOLDER))
    loose.push(...(await sizesIn(join(objects, folder), LOOSE_FILE)));
  const packs = await sizesIn(join(objects, 'pack'), PACK);
  return { looseObjects: loose.length, looseBytes: sum(loose), packs: packs.length, packedBytes: sum(packs) };
}

/** Returns the sizes of the matching files in a folder. */
async function sizesIn(folder: string, pattern: RegExp): Promise<number[]> {
  const sizes = (await namesIn(folder, pattern)).map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => [size],
      (error: unknown) => {
        if (isAbsent(error)) return [];
        throw error;
      },
    ),
  );
  return (await Promise.all(sizes)).flat();
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
