import { join } from 'node:path';
import type { DurableFiles } from '../../durable-folders.ts';
import { deleteLeftovers } from './leftovers.ts';
import { countObjects, type ObjectCounts } from './object-counts.ts';
import { packLoose } from './repack.ts';
import { freshenObjects, readSetApart, type SetApart } from './unreachable-objects.ts';

/** The work on the folders of repositories that upkeep does without stock git. */
export function createFolderUpkeep(folderOf: (id: string) => string, files: DurableFiles) {
  const objectsOf = (id: string): string => join(folderOf(id), 'objects');
  return {
    /** Counts the loose objects and the packs of a repository. */
    count: (id: string): Promise<ObjectCounts> => countObjects(objectsOf(id)),

    /** Returns the objects of a repository that stock git has set apart because no ref led to them. */
    setApart: (id: string): Promise<SetApart> => readSetApart(objectsOf(id)),

    /** Makes the objects of a repository that are not set apart at least as young as a time. */
    freshen: (id: string, now: number): Promise<void> => freshenObjects(objectsOf(id), now),

    /** Moves the loose objects of a repository into a pack; returns their number. */
    packLoose: (id: string, isEnding: () => boolean): Promise<number> => packLoose(objectsOf(id), files, isEnding),

    /** Deletes what crashes have left in a repository before a time; must not overlap with a repack. */
    deleteLeftovers: (id: string, before: number): Promise<void> => deleteLeftovers(folderOf(id), before),
  };
}
