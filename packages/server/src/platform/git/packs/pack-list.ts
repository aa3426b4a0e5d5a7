import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../durable-files.ts';
import { type Fanout, findIds, offsetAt, readFanout } from './pack-index.ts';

interface Pack {
  /** The path without extension. */
  readonly path: string;
  readonly fanout: Fanout;
}

/** The location of a packed object. */
export interface PackLocation {
  readonly packPath: string;
  readonly offset: number;
}

export type PackList = ReturnType<typeof createPackList>;

async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r');
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

const indexOf = ({ path }: Pack) => `${path}.idx`;

/** Returns where a pack has an object, if it does. */
const locate = (pack: Pack, id: string): Promise<PackLocation | undefined> =>
  withFile(indexOf(pack), async (index) => {
    const [found] = await findIds(index, pack.fanout, id, 1);
    return found && { packPath: `${pack.path}.pack`, offset: await offsetAt(index, pack.fanout, found.position) };
  });

/** The packs of a repository. The folder is read again after it has changed, for example by a push or a repack. */
export function createPackList(folder: string) {
  let packs: readonly Pack[] = [];
  let readAt = -1;

  async function refresh(): Promise<void> {
    const changedAt = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      (error: unknown) => {
        if (isAbsent(error)) return 0;
        throw error;
      },
    );
    if (changedAt === readAt) return;
    const names =
      changedAt === 0 ? [] : (await readdir(folder)).filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name));
    const known = new Map(packs.map((pack) => [pack.path, pack]));
    packs = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name.slice(0, -'.idx'.length));
        return known.get(path) ?? { path, fanout: await withFile(`${path}.idx`, readFanout) };
      }),
    );
    // File times are coarse: a folder that has just changed may change again within the same tick.
    readAt = Date.now() - changedAt > 2_000 ? changedAt : -1;
  }

  async function search<T>(searchPack: (pack: Pack) => Promise<T | undefined>): Promise<T | undefined> {
    for (let tries = 1; ; tries++) {
      await refresh();
      try {
        for (const pack of packs) {
          const found = await searchPack(pack);
          if (found !== undefined) return found;
        }
        return undefined;
      } catch (error) {
        // A repack has removed the pack; its objects are in another one now.
        if (!isAbsent(error) || tries === 3) throw error;
        packs = [];
        readAt = -1;
      }
    }
  }

  return {
    find: (id: string): Promise<PackLocation | undefined> => search((pack) => locate(pack, id)),

    /** Returns an object in a given pack, although other packs may have it as well. */
    async findIn(packPath: string, id: string): Promise<PackLocation | undefined> {
      const path = packPath.slice(0, -'.pack'.length);
      const known = packs.find((pack) => pack.path === path);
      return locate(known ?? { path, fanout: await withFile(`${path}.idx`, readFanout) }, id);
    },

    /** Returns ids that begin with a prefix, at most `limit` per pack. */
    async idsWithPrefix(prefix: string, limit: number): Promise<string[]> {
      await refresh();
      const found = await Promise.all(
        packs.map((pack) => withFile(indexOf(pack), (index) => findIds(index, pack.fanout, prefix, limit))),
      );
      return found.flat().map(({ id }) => id);
    },
  };
}
