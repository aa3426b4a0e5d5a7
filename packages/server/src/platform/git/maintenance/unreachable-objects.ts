import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshen } from '../../files/stale-files.ts';
import { damaged } from '../fault.ts';
import { LOOSE_FILE, LOOSE_FOLDER, namesIn } from './object-files.ts';

/*
 * Git packs the objects to which no ref leads into a pack of their own, with the time of each in a file beside it. An
 * object takes its time from the loose file or the pack in which it was found.
 */

const PACK = /^pack-[0-9a-f]{40}\.pack$/;
const TIMES = /^pack-[0-9a-f]{40}\.mtimes$/;
/** The lengths of the beginning of such a file, and of the two hashes at its end (gitformat-pack). */
const HEADER = 12;
const TRAILER = 40;

/** The objects that a repack has set apart because no ref led to them. */
export interface SetApart {
  readonly objects: number;
  /** The time of the oldest one in epoch milliseconds; `Infinity` if there are none. */
  readonly oldestAt: number;
}

/** Returns the objects that are set apart. Throws a `GitFault` if a file is damaged. */
export async function readSetApart(objects: string): Promise<SetApart> {
  let [count, oldest] = [0, Number.POSITIVE_INFINITY];
  for (const name of await namesIn(join(objects, 'pack'), TIMES)) {
    const bytes = await readFile(join(objects, 'pack', name));
    const end = bytes.length - TRAILER;
    if (bytes.toString('latin1', 0, 4) !== 'MTME' || end < HEADER || (end - HEADER) % 4 !== 0)
      throw damaged('The times of a pack are damaged');
    for (let at = HEADER; at < end; at += 4) oldest = Math.min(oldest, bytes.readUInt32BE(at));
    count += (end - HEADER) / 4;
  }
  return { objects: count, oldestAt: oldest * 1000 };
}

/**
 * Makes all objects at least as young as a time, except those that are set apart: what no ref leads to counts as
 * unreachable from when that was found, however old its file is.
 */
export async function freshenObjects(objects: string, now: number): Promise<void> {
  for (const folder of await namesIn(objects, LOOSE_FOLDER))
    for (const name of await namesIn(join(objects, folder), LOOSE_FILE))
      await freshen(join(objects, folder, name), now);
  const packs = join(objects, 'pack');
  const apart = new Set((await namesIn(packs, TIMES)).map((name) => name.replace(/mtimes$/, 'pack')));
  for (const name of await namesIn(packs, PACK)) if (!apart.has(name)) await freshen(join(packs, name), now);
}
