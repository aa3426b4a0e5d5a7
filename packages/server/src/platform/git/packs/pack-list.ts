import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../durable-files.ts';
import { type Fanout, findIds, offsetAt, readFanout } from './pack-index.ts';
import { findInSmall, readSmallIndex, type SmallIndex } from './small-index.ts';

interface Pack {
  /** The path without extension. */
  readonly path: string;
  readonly fanout: Fanout;
  /** The whole index of a small pack. */
  readonly small: SmallIndex | undefined;
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

async function openPack(path: string): Promise<Pack> {
  return withFile(`${path}.idx`, async (index) => {
    const fanout = await readFanout(index);
    const small = await readSmallIndex(index, fanout);
    return { path, fanout: small ? [] : fanout, small };
  });
}

async function locate({ path, fanout, small }: Pack, id: string): Promise<PackLocation | undefined> {
  const packPath = `${path}.pack`;
  if (small) {
    const [found] = findInSmall(small, id, 1);
    return found && { packPath, offset: found.offset };
  }
  return withFile(`${path}.idx`, async (index) => {
    const [found] = await findIds(index, fanout, id, 1);
    return found && { packPath, offset: await offsetAt(index, fanout, found.position) };
  });
}

async function idsIn({ path, fanout, small }: Pack, prefix: string, limit: number): Promise<string[]> {
  const found = small
    ? findInSmall(small, prefix, limit)
    : await withFile(`${path}.idx`, (index) => findIds(index, fanout, prefix, limit));
  return found.map(({ id }) => id);
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

  /** Reads the folder unless it is unchanged; returns when it last changed, and whether it was read. */
  async function refresh(): Promise<{ readonly at: number; readonly isRead: boolean }> {
    const at = await changedAt();
    if (at === readAt) return { at, isRead: false };
    const names = new Set(at === 0 ? [] : await readdir(folder));
    const known = new Map(packs.map((pack) => [pack.path, pack]));
    // A repack that was interrupted may leave an index without its pack.
    const bases = [...names].flatMap((name) => /^(pack-[0-9a-f]{40})\.idx$/.exec(name)?.[1] ?? []);
    packs = await Promise.all(
      bases
        .filter((base) => names.has(`${base}.pack`))
        .map(async (base) => {
          const path = join(folder, base);
          return known.get(path) ?? (await openPack(path));
        }),
    );
    readAt = Date.now() - at > SETTLED_MS ? at : -1;
    return { at, isRead: true };
  }

  function forget(): void {
    packs = [];
    readAt = -1;
  }

  /** Searches the packs; again if some have vanished, or if nothing was found in a list that may be out of date. */
  async function search<T>(searchAll: () => Promise<T | undefined>): Promise<T | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        const { at, isRead } = await refresh();
        const found = await searchAll();
        // A list that was read while packs were replaced may have neither the old one nor the new one.
        const isSettled = isRead && at === readAt && at === (await changedAt());
        if (found !== undefined || isSettled || tries >= MAX_TRIES) return found;
        // Another machine may have changed a shared folder, with a clock of its own.
        if (!isRead) readAt = -1;
      } catch (error) {
        // A repack has removed the pack; its objects are in another one now.
        if (!isAbsent(error) || tries >= MAX_TRIES) throw error;
        forget();
      }
    }
  }

  return {
    /** Reads every index again at the next search, as a pack that it named is gone or was damaged. */
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
      return locate(packs.find((pack) => pack.path === path) ?? (await openPack(path)), id);
    },

    /** Returns ids that begin with a prefix, at most `limit` per pack. */
    async idsWithPrefix(prefix: string, limit: number): Promise<string[]> {
      const found = await search(async () => {
        const ids: string[] = [];
        for (const pack of packs) ids.push(...(await idsIn(pack, prefix, limit)));
        return ids.length === 0 ? undefined : ids;
      });
      return found ?? [];
    },
  };
}
