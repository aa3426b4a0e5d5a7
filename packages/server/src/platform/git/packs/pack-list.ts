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

/** How often a search begins again because packs have changed. */
const MAX_TRIES = 5;
/** A list of a folder that changed more recently is not trusted, because file times are coarse. */
const SETTLED_MS = 2_000;

async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r');
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

const indexOf = ({ path }: Pack) => `${path}.idx`;

async function locate(pack: Pack, id: string): Promise<PackLocation | undefined> {
  return withFile(indexOf(pack), async (index) => {
    const [found] = await findIds(index, pack.fanout, id, 1);
    return found && { packPath: `${pack.path}.pack`, offset: await offsetAt(index, pack.fanout, found.position) };
  });
}

/**
 * The packs of a repository. The folder is read again after it has changed, for example by a push or a repack. Each pack
 * is read by its own index; other files, such as an index of several packs and bitmaps, are for stock git.
 */
export function createPackList(folder: string) {
  let packs: readonly Pack[] = [];
  /** When the folder changed that `packs` shows; -1 if it is to be read again. */
  let readAt = -1;

  const changedAt = (): Promise<number> =>
    stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      (error: unknown) => {
        if (isAbsent(error)) return 0;
        throw error;
      },
    );

  /** Reads the folder unless it is unchanged; returns when it last changed. */
  async function refresh(): Promise<number> {
    const at = await changedAt();
    if (at === readAt) return at;
    const names = new Set(at === 0 ? [] : await readdir(folder));
    const known = new Map(packs.map((pack) => [pack.path, pack]));
    // A repack that was interrupted may leave an index without its pack.
    const bases = [...names].flatMap((name) => /^(pack-[0-9a-f]{40})\.idx$/.exec(name)?.[1] ?? []);
    packs = await Promise.all(
      bases
        .filter((base) => names.has(`${base}.pack`))
        .map(async (base) => {
          const path = join(folder, base);
          return known.get(path) ?? { path, fanout: await withFile(`${path}.idx`, readFanout) };
        }),
    );
    readAt = Date.now() - at > SETTLED_MS ? at : -1;
    return at;
  }

  function forget(): void {
    packs = [];
    readAt = -1;
  }

  /** Searches the packs; again if some have vanished, or if nothing was found while packs were being replaced. */
  async function search<T>(searchAll: () => Promise<T | undefined>): Promise<T | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        const at = await refresh();
        const found = await searchAll();
        // A list that was read while packs were replaced may have neither the old one nor the new one.
        const isSettled = at === readAt && at === (await changedAt());
        if (found !== undefined || isSettled || tries >= MAX_TRIES) return found;
      } catch (error) {
        // A repack has removed the pack; its objects are in another one now.
        if (!isAbsent(error) || tries >= MAX_TRIES) throw error;
        forget();
      }
    }
  }

  return {
    /** Reads the folder again at the next search, as a pack that it named is gone. */
    forget,

    find: (id: string): Promise<PackLocation | undefined> =>
      search(async () => {
        for (const pack of packs) {
          const found = await locate(pack, id);
          if (found) return found;
        }
        return undefined;
      }),

    /** Returns where an object is in one pack; undefined if it is not in that pack. Throws if the pack is gone. */
    async findIn(packPath: string, id: string): Promise<PackLocation | undefined> {
      const path = packPath.replace(/\.pack$/, '');
      const known = packs.find((pack) => pack.path === path);
      return locate(known ?? { path, fanout: await withFile(`${path}.idx`, readFanout) }, id);
    },

    /** Returns ids that begin with a prefix, at most `limit` per pack. */
    async idsWithPrefix(prefix: string, limit: number): Promise<string[]> {
      const found = await search(async () => {
        const ids: string[] = [];
        for (const pack of packs)
          for (const { id } of await withFile(indexOf(pack), (index) => findIds(index, pack.fanout, prefix, limit)))
            ids.push(id);
        return ids.length === 0 ? undefined : ids;
      });
      return found ?? [];
    },
  };
}
