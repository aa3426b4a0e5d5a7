import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type DurableFiles, syncFolder } from '../../durable-folders.ts';
import { unlessAbsent } from '../durable-files.ts';
import { readLoose } from '../loose-objects.ts';
import { nameObject } from '../objects/object.ts';
import { createPackWriter } from '../packs/pack-writer.ts';
import { LOOSE_FILE, LOOSE_FOLDER, namesIn } from './object-files.ts';

/** Larger objects stay loose, because packing reads each object into memory. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Bounds the objects of one pack. */
const MAX_OBJECTS = 20_000;

async function looseIds(objects: string): Promise<string[]> {
  const ids: string[] = [];
  for (const folder of await namesIn(objects, LOOSE_FOLDER))
    for (const name of await namesIn(join(objects, folder), LOOSE_FILE)) {
      ids.push(folder + name);
      if (ids.length === MAX_OBJECTS) return ids;
    }
  return ids;
}

/**
 * Moves loose objects into one pack; returns their number. The pack is on the disk before a loose object is deleted, so
 * readers, writers and a crash always find each object in at least one place.
 */
export async function packLoose(
  objects: string,
  files: DurableFiles,
  isEnding: () => boolean,
  maxBytes = MAX_BYTES,
): Promise<number> {
  const writer = await createPackWriter(join(objects, 'pack'), files);
  const packed: string[] = [];
  let isFinished = false;
  try {
    for (const id of await looseIds(objects)) {
      if (isEnding()) break;
      const object = await readLoose(objects, id, maxBytes).catch(() => undefined);
      // A damaged or too large object stays as it is.
      if (!object) continue;
      await writer.add(await nameObject(object));
      packed.push(id);
    }
    if (packed.length === 0) return 0;
    isFinished = true;
    await writer.finish();
  } finally {
    if (!isFinished) await writer.discard();
  }
  for (const id of packed) await rm(join(objects, id.slice(0, 2), id.slice(2)), { force: true });
  for (const folder of new Set(packed.map((id) => id.slice(0, 2))))
    await syncFolder(join(objects, folder), files).catch(unlessAbsent);
  return packed.length;
}
