import { open, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DurableFiles, makeFolder, syncFolder } from '../../durable-folders.ts';
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

/** Moves all packs of a folder, which are on the disk, to another one of the same file system. */
export async function adoptPacks({ from, to, keep }: Folders, files: DurableFiles): Promise<void> {
  const names = await readdir(from);
  if (keep)
    for (const name of names) if (name.endsWith('.idx')) await keep(await packAt(from, name.slice(0, -'.idx'.length)));
  await makeFolder(to, files);
  // A pack counts once it has an index.
  for (const ending of ['.pack', '.rev', '.idx'])
    for (const name of names) if (name.endsWith(ending)) await rename(join(from, name), join(to, name));
  await syncFolder(to, files);
}
