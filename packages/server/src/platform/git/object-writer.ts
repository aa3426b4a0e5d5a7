import { join } from 'node:path';
import type { DurableFiles } from '../durable-folders.ts';
import { writeLoose } from './loose-objects.ts';
import { type GitObject, type NamedObject, nameObject } from './objects/object.ts';
import { createPackWriter, type PackWriter } from './packs/pack-writer.ts';

/** A change with more objects or bytes than this becomes a pack. */
const MAX_LOOSE = 50;
const MAX_LOOSE_BYTES = 16 * 1024 * 1024;

export type ObjectWriter = ReturnType<typeof createObjectWriter>;

/**
 * Collects the objects of one change. A small change is held in memory and becomes loose objects, a large one is
 * written to a pack as it arrives. Nothing is visible before `finish`, and everything is on the disk after it.
 */
export function createObjectWriter(objectsFolder: string, files: DurableFiles) {
  const added = new Set<string>();
  const held = new Map<string, NamedObject>();
  let heldBytes = 0;
  let pack: PackWriter | undefined;

  async function moveToPack(): Promise<PackWriter> {
    pack ??= await createPackWriter(join(objectsFolder, 'pack'), files);
    for (const object of held.values()) await pack.add(object);
    held.clear();
    return pack;
  }

  return {
    /** Adds an object and returns its id. Calls must not overlap. */
    async add(object: GitObject): Promise<string> {
      const named = await nameObject(object);
      if (added.has(named.id)) return named.id;
      added.add(named.id);
      if (pack) await pack.add(named);
      else {
        held.set(named.id, named);
        heldBytes += named.body.length;
        if (held.size > MAX_LOOSE || heldBytes > MAX_LOOSE_BYTES) await moveToPack();
      }
      return named.id;
    },

    async finish(): Promise<void> {
      const finished = pack;
      pack = undefined;
      if (finished) await finished.finish();
      else await writeLoose(objectsFolder, [...held.values()], files);
      held.clear();
    },

    async discard(): Promise<void> {
      held.clear();
      const discarded = pack;
      pack = undefined;
      await discarded?.discard();
    },
  };
}
