import { isAbsent } from '../durable-files.ts';
import { GitFault } from '../fault.ts';
import type { GitObject } from '../objects/object.ts';
import type { KeptPacks } from './finished-pack.ts';
import { createPackList, type PackLocation } from './pack-list.ts';
import { packedHeader, readPacked, streamPacked, type TreeBodies } from './packed-objects.ts';

/** How often a packed object is looked up because its pack is gone. */
const MAX_TRIES = 5;

export type PackReader = ReturnType<typeof createPackReader>;

const isDamaged = (error: unknown): boolean => error instanceof GitFault && error.kind === 'damaged';

/** Reads the packs in a folder, also those that are kept elsewhere and have to be brought there first. */
export function createPackReader(folder: string, trees: TreeBodies, kept: KeptPacks | undefined) {
  const packs = createPackList(folder);

  /**
   * Uses an object in its pack; undefined if no pack has it. Looks again if a repack deletes the pack meanwhile, and once
   * if the pack is damaged in the folder but kept elsewhere.
   */
  async function inPack<T>(id: string, use: (location: PackLocation) => Promise<T>): Promise<T | undefined> {
    let isRepaired = false;
    for (let tries = 1; ; tries++) {
      try {
        const location = await packs.find(id);
        return location && (await use(location));
      } catch (error) {
        if (kept && isDamaged(error) && !isRepaired) {
          isRepaired = true;
          await kept.fetch({ repair: true });
        } else if (!isAbsent(error) || tries >= MAX_TRIES) throw error;
        packs.forget();
      }
    }
  }

  const read = (id: string, maxBytes: number): Promise<GitObject | undefined> =>
    inPack(id, (location) => readPacked(packs, id, location, { maxBytes, trees }));

  const has = async (id: string): Promise<boolean> => (await inPack(id, async () => true)) ?? false;

  return {
    /** Returns an object; undefined if no pack in the folder has it. */
    read,

    /** Returns an object whose pack may have to be brought. Throws why that fails, if it is needed. */
    async readKept(id: string, maxBytes: number): Promise<GitObject | undefined> {
      if (!kept) return undefined;
      try {
        await kept.fetch();
      } catch (error) {
        const found = await read(id, maxBytes);
        if (found) return found;
        throw error;
      }
      return read(id, maxBytes);
    },

    header: (id: string) => inPack(id, (location) => packedHeader(packs, location)),

    async has(id: string): Promise<boolean> {
      if (await has(id)) return true;
      if (!kept) return false;
      await kept.fetch();
      return has(id);
    },

    /** Returns ids that begin with a prefix, at most `limit` per pack. */
    async idsWithPrefix(prefix: string, limit: number): Promise<string[]> {
      await kept?.fetch();
      return packs.idsWithPrefix(prefix, limit);
    },

    /** Returns the body of an object as a stream; one with deltas of at most `maxBytes`. */
    async stream(id: string, maxBytes: number) {
      const opened = await inPack(id, (location) => streamPacked(packs, id, location, { maxBytes, trees }));
      // Who reads this stream fails; who reads the next one does not.
      if (kept) opened?.body.once('error', () => void kept.fetch({ repair: true }).catch(() => {}));
      return opened;
    },
  };
}
