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

/** The packs of a repository. The folder is read again after it has changed, for example by a push or a repack. */
export function createPackList(folder: string) {
  let packs: readonly Pack[] = [];
  let readAt = -1;

  /** Reads the folder if it has changed, or in any case; returns whether it did. */
  async function refresh(inAnyCase: boolean): Promise<boolean> {
    const changedAt = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      (error: unknown) => {
        if (isAbsent(error)) return 0;
        throw error;
      },
    );
    if (changedAt === readAt && !inAnyCase) return false;
    const names =
      changedAt === 0 ? [] : (await readdir(folder)).filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name));
    const known = new Map(packs.map((pack) => [pack.path, pack]));
    packs = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name.slice(0, -'.idx'.length));
        return known.get(path) ?? (await openPack(path));
      }),
    );
    // File times are coarse: a folder that has just changed may change again within the same tick.
    readAt = Date.now() - changedAt > 2_000 ? changedAt : -1;
    return true;
  }

  function forget(): void {
    packs = [];
    readAt = -1;
  }

  async function searchOnce(id: string): Promise<PackLocation | undefined> {
    for (const pack of packs) {
      const found = await locate(pack, id);
      if (found) return found;
    }
    return undefined;
  }

  return {
    async find(id: string): Promise<PackLocation | undefined> {
      for (let tries = 1; ; tries++)
        try {
          const isRead = await refresh(false);
          const found = await searchOnce(id);
          if (found || isRead) return found;
          // Another machine may have changed a shared folder, with a clock of its own.
          await refresh(true);
          return await searchOnce(id);
        } catch (error) {
          // A repack has removed the pack; its objects are in another one now.
          if (!isAbsent(error) || tries === 3) throw error;
          forget();
        }
    },

    /** Returns where an object is in one pack; undefined if it is not in that pack. Throws if the pack is gone. */
    async findIn(packPath: string, id: string): Promise<PackLocation | undefined> {
      const path = packPath.replace(/\.pack$/, '');
      return locate(packs.find((pack) => pack.path === path) ?? (await openPack(path)), id);
    },

    /** Reads every index again, for example because one was damaged. */
    forget,

    /** Returns ids that begin with a prefix, at most `limit` per pack. */
    async idsWithPrefix(prefix: string, limit: number): Promise<string[]> {
      await refresh(false);
      return (await Promise.all(packs.map((pack) => idsIn(pack, prefix, limit)))).flat();
    },
  };
}
