import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent, TEMPORARY } from '../durable-files.ts';
import { namesIn } from './object-files.ts';

/** The names of what the hub or git has not finished, by the folder within a repository. */
const UNFINISHED: readonly (readonly [folder: string, names: RegExp])[] = [
  ['.', TEMPORARY],
  ['objects', /^(tmp_|bitmap-ref-tips_)/],
  ['objects/pack', /^\.?tmp[-_]|\.lock$/],
  ['objects/info', /\.lock$/],
  ['objects/info/commit-graphs', /^tmp_|\.lock$/],
];

/** The files of a pack; without both the pack and its index, nobody reads any of them. */
const PART_OF_PACK = /^(pack-[0-9a-f]{40})\.(pack|idx|rev|bitmap|mtimes)$/;

/**
 * Deletes what was last written before a time and never finished: temporary files, locks, folders of pushes, and packs
 * without an index, or the other way round.
 */
export async function deleteLeftovers(folder: string, before: number): Promise<void> {
  for (const [within, pattern] of UNFINISHED)
    for (const name of await namesIn(join(folder, within), pattern))
      await deleteIfOld(join(folder, within, name), before);
  const packs = join(folder, 'objects', 'pack');
  const names = new Set(await namesIn(packs, PART_OF_PACK));
  for (const name of names) {
    const base = PART_OF_PACK.exec(name)?.[1] ?? '';
    if (!names.has(`${base}.pack`) || !names.has(`${base}.idx`)) await deleteIfOld(join(packs, name), before);
  }
}

async function deleteIfOld(path: string, before: number): Promise<void> {
  const writtenAt = await lastWrittenAt(path);
  if (writtenAt !== undefined && writtenAt <= before) await rm(path, { recursive: true, force: true });
}

/** Returns when a file, or anything in a folder, was last written; undefined if it is gone. */
async function lastWrittenAt(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return found.mtimeMs;
    const within = await Promise.all((await readdir(path)).map((name) => lastWrittenAt(join(path, name))));
    return Math.max(found.mtimeMs, ...within.map((time) => time ?? 0));
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
