import { open, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DurableFiles, makeFolder, syncFolder } from '../../durable-folders.ts';
import { newPackName } from '../durable-files.ts';
import type { FinishedPack, KeepPack } from './finished-pack.ts';
import { readFanout } from './pack-index.ts';

/** Returns a pack of a folder, as git has made it. */
export async function packAt(folder: string, name: string): Promise<FinishedPack> {
  const [packPath, indexPath] = [join(folder, `${name}.pack`), join(folder, `${name}.idx`)];
  await using index = await open(indexPath, 'r');
  const { size } = await stat(packPath);
  return { name, packPath, indexPath, bytes: size, objects: (await readFanout(index)).at(-1) ?? 0, hasDeltas: true };
}

interface Folders {
  readonly from: string;
  readonly to: string;
  readonly keep: KeepPack | undefined;
}

/**
 * Moves all packs of a folder, which are on the disk, to another one of the same file system. Those that are kept elsewhere
 * have the names of their content.
 */
export async function adoptPacks({ from, to, keep }: Folders, files: DurableFiles): Promise<void> {
  const names = await readdir(from);
  const bases = names.filter((name) => name.endsWith('.idx')).map((name) => name.slice(0, -'.idx'.length));
  if (keep) for (const name of bases) await keep(await packAt(from, name));
  await makeFolder(to, files);
  for (const name of bases) {
    const newName = keep ? name : newPackName();
    // A pack counts once it has an index.
    for (const ending of ['.pack', '.rev', '.idx'])
      if (names.includes(name + ending)) await rename(join(from, name + ending), join(to, newName + ending));
  }
  await syncFolder(to, files);
}
