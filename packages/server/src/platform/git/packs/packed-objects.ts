import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import type { LRUCache } from 'lru-cache';
import { createPause } from '../../cooperative.ts';
import { firstBytes, inflate, maxCompressed } from '../compression.ts';
import { damaged, missing, tooLarge } from '../fault.ts';
import { type GitObject, type ObjectType, requireId } from '../objects/object.ts';
import { verifiedBody } from '../verified-body.ts';
import { applyDelta } from './delta.ts';
import { type EntryHeader, MAX_ENTRY_HEADER, parseEntryHeader } from './pack-entry.ts';
import type { PackList, PackLocation } from './pack-list.ts';
import { readUpTo } from './read-exactly.ts';

/** The maximum depth of a delta chain; git's default is 50, its maximum 4,095. */
const MAX_DEPTH = 4_095;
/** The maximum total size of the deltas of one object, which are in memory together. */
const MAX_DELTA_BYTES = 128 * 1024 * 1024;
/** The number of bytes that contain both sizes at the beginning of a delta. */
const DELTA_OPENING = 32;

interface Entry extends EntryHeader, PackLocation {}

async function entryAt(handle: FileHandle, { packPath, offset }: PackLocation): Promise<Entry> {
  const header = parseEntryHeader(await readUpTo(handle, offset, MAX_ENTRY_HEADER), offset);
  return { ...header, packPath, offset };
}

/** Returns the decompressed bytes of an entry: an object body or a delta. */
async function bytesOf(handle: FileHandle, { offset, length, size }: Entry): Promise<Buffer> {
  const bytes = await inflate(await readUpTo(handle, offset + length, maxCompressed(size)), size);
  if (bytes.length !== size) throw damaged('The size of an entry of a pack differs from its header');
  return bytes;
}

async function withPack<T>(packPath: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(packPath, 'r');
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/** Returns the base entry of a delta, which git keeps in the same pack. */
async function baseOf(handle: FileHandle, packs: PackList, entry: Entry): Promise<Entry> {
  const { kind, packPath } = entry;
  if (typeof kind === 'string') throw new Error('Only deltas have bases');
  if ('baseOffset' in kind) return entryAt(handle, { packPath, offset: kind.baseOffset });
  const location = await packs.findIn(packPath, kind.baseId);
  if (!location) throw missing(kind.baseId);
  return entryAt(handle, location);
}

/** Yields the entry of an object, then the base of each delta; the last entry is not a delta. */
async function* chainOf(handle: FileHandle, packs: PackList, location: PackLocation): AsyncGenerator<Entry, void> {
  const deltas = new Set<number>();
  let entry = await entryAt(handle, location);
  yield entry;
  while (typeof entry.kind !== 'string') {
    if (deltas.size === MAX_DEPTH) throw tooLarge('An object has too long a chain of deltas');
    deltas.add(entry.offset);
    entry = await baseOf(handle, packs, entry);
    if (deltas.has(entry.offset)) throw damaged('A delta is its own base');
    yield entry;
  }
}

/** Unparsed trees: those of packs by their places, because most are deltas of another one, and large ones by folder and id. */
export type TreeBodies = LRUCache<string, Buffer>;

const placeOf = ({ packPath, offset }: PackLocation): string => `${packPath} ${offset}`;

/** How packed objects are read: those of more than `maxBytes` are refused. */
interface Reading {
  readonly maxBytes: number;
  readonly trees: TreeBodies;
}

/** Returns a packed object, verified against its id. */
export async function readPacked(
  packs: PackList,
  id: string,
  location: PackLocation,
  reading: Reading,
): Promise<GitObject> {
  const object = await resolved(packs, location, reading);
  try {
    return requireId(id, object);
  } catch (error) {
    // Whoever repairs the pack must not meet what was made of the damaged one.
    reading.trees.clear();
    throw error;
  }
}

const resolved = (packs: PackList, location: PackLocation, { maxBytes, trees }: Reading): Promise<GitObject> =>
  withPack(location.packPath, async (handle) => {
    const deltas: { readonly place: string; readonly delta: Buffer }[] = [];
    let deltaBytes = 0;
    for await (const entry of chainOf(handle, packs, location)) {
      const place = placeOf(entry);
      const tree = trees.get(place);
      const size = tree?.length ?? entry.size;
      if (size > maxBytes) throw tooLarge(`An object of ${size} bytes is too large to be read`);
      const bytes = tree ?? (await bytesOf(handle, entry));
      const type = tree ? 'tree' : entry.kind;
      if (typeof type === 'string') {
        const pause = createPause();
        let body = bytes;
        if (type === 'tree') trees.set(place, body);
        for (const next of deltas.reverse()) {
          body = applyDelta(body, next.delta, maxBytes);
          if (type === 'tree') trees.set(next.place, body);
          await pause();
        }
        return { type, body };
      }
      deltas.push({ place, delta: bytes });
      deltaBytes += bytes.length;
      if (deltaBytes > MAX_DELTA_BYTES) throw tooLarge('An object has too long a chain of deltas');
    }
    throw damaged('A delta has no base');
  });

/** Reads the size of a delta's result from its first bytes. */
async function resultSize(handle: FileHandle, { offset, length, size }: Entry): Promise<number> {
  const compressed = await readUpTo(handle, offset + length, maxCompressed(Math.min(size, DELTA_OPENING)) * 8);
  const opening = await firstBytes(compressed);
  let at = 0;
  while ((opening[at] ?? 0) & 0x80) at++;
  let result = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = opening[++at];
    if (byte === undefined) throw damaged('A delta has no size');
    result += (byte & 0x7f) * factor;
    if (byte < 0x80) return result;
  }
}

/** Returns type and size of a packed object without reading all of it. */
export const packedHeader = (packs: PackList, location: PackLocation): Promise<{ type: ObjectType; size: number }> =>
  withPack(location.packPath, async (handle) => {
    let size: number | undefined;
    for await (const entry of chainOf(handle, packs, location)) {
      const { kind } = entry;
      size ??= typeof kind === 'string' ? entry.size : await resultSize(handle, entry);
      if (typeof kind === 'string') return { type: kind, size };
    }
    throw damaged('A delta has no base');
  });

/**
 * Returns the body of a packed object as a stream that fails if it does not match the id; deltas are resolved in memory
 * first. The pack may be deleted while the stream is read.
 */
export async function streamPacked(packs: PackList, id: string, location: PackLocation, reading: Reading) {
  const handle = await open(location.packPath, 'r');
  const first = await entryAt(handle, location).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  if (typeof first.kind !== 'string') {
    await handle.close();
    const { type, body } = await readPacked(packs, id, location, reading);
    return { type, size: body.length, body: Readable.from([body], { objectMode: false }) };
  }
  const body = verifiedBody({ id, type: first.kind, size: first.size });
  // The stream closes the file.
  const source = handle.createReadStream({ start: location.offset + first.length });
  const inflating = createInflate();
  // The entry ends before the file does.
  inflating.once('end', () => source.destroy());
  for (const stage of [source, inflating]) {
    stage.once('error', (error: Error) => body.destroy(error));
    body.once('close', () => stage.destroy());
  }
  source.pipe(inflating).pipe(body);
  return { type: first.kind, size: first.size, body };
}
