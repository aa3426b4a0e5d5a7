import { join } from 'node:path';
import type { DurableFiles } from '../durable-folders.ts';
import { writeLoose } from './loose-objects.ts';
import { type GitObject, type NamedObject, nameObject } from './objects/object.ts';
import type { KeepPack } from './packs/finished-pack.ts';
import { createPackWriter, type PackWriter } from './packs/pack-writer.ts';

/** A change with more objects or bytes than this becomes a pack. */
const MAX_LOOSE = 50;
const MAX_LOOSE_BYTES = 16 * 1024 * 1024;
/** The trees and commits of one change that `onWritten` reports: the last ones, which the next change reads. */
const MAX_REPORTED = 20;

export type ObjectWriter = ReturnType<typeof createObjectWriter>;

interface Options {
  readonly objectsFolder: string;
  readonly files: DurableFiles;
  /** If given, every change becomes a pack, which is kept by this function before it counts. */
  readonly keep?: KeepPack | undefined;
  /** Gets the last trees and commits once they are written. */
  readonly onWritten: (object: NamedObject) => void;
}

/**
 * Collects the objects of one change. A small change stays in memory and becomes loose objects, a large one is written
 * to a pack as it arrives. Nothing is visible before `finish`, and everything is on the disk after it.
 */
export function createObjectWriter({ objectsFolder, files, keep, onWritten }: Options) {
  const added = new Set<string>();
  let structures: NamedObject[] = [];
  const pending = new Map<string, NamedObject>();
  let pendingBytes = 0;
  let pack: PackWriter | undefined;

  async function moveToPack(): Promise<PackWriter> {
    pack ??= await createPackWriter(join(objectsFolder, 'pack'), files);
    for (const object of pending.values()) await pack.add(object);
    pending.clear();
    return pack;
  }

  return {
    /** Adds an object and returns its id. Calls must not overlap. */
    async add(object: GitObject): Promise<string> {
      const identified = await nameObject(object);
      if (added.has(identified.id)) return identified.id;
      added.add(identified.id);
      if (identified.type !== 'blob') structures = [...structures.slice(1 - MAX_REPORTED), identified];
      if (pack) await pack.add(identified);
      else {
        pending.set(identified.id, identified);
        pendingBytes += identified.body.length;
        if (pending.size > MAX_LOOSE || pendingBytes > MAX_LOOSE_BYTES) await moveToPack();
      }
      return identified.id;
    },

    async finish(): Promise<void> {
      const finished = pack ?? (keep && pending.size > 0 ? await moveToPack() : undefined);
      pack = undefined;
      if (finished) await finished.finish(keep);
      else await writeLoose(objectsFolder, [...pending.values()], files);
      pending.clear();
      for (const object of structures) onWritten(object);
      structures = [];
    },

    async discard(): Promise<void> {
      pending.clear();
      const discarded = pack;
      pack = undefined;
      await discarded?.discard();
    },
  };
}
