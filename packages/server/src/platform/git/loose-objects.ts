import { access, type FileHandle, open, readFile, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import { type DurableFiles, makeFolder, syncFolder } from '../durable-folders.ts';
import { deflate, firstBytes, inflate, maxCompressed } from './compression.ts';
import { isAbsent, unlessAbsent, writeFileAtOnce } from './durable-files.ts';
import { damaged, tooLarge } from './fault.ts';
import {
  type GitObject,
  headerOf,
  type NamedObject,
  type ObjectType,
  parseHeader,
  requireId,
} from './objects/object.ts';
import { verifiedBody } from './verified-body.ts';

const MAX_HEADER = 32;

const pathOf = (folder: string, id: string) => join(folder, id.slice(0, 2), id.slice(2));

/**
 * Writes missing objects as files; all of them are on the disk when the promise resolves. Those that exist become as
 * young as the others, since upkeep deletes old ones to which no ref leads.
 */
export async function writeLoose(folder: string, objects: readonly NamedObject[], files: DurableFiles): Promise<void> {
  await Promise.all(objects.map((object) => writeOne(folder, object, files)));
  const folders = new Set(objects.map(({ id }) => dirname(pathOf(folder, id))));
  // An object that a repack has moved into a pack already is on the disk there.
  await Promise.all([...folders].map((each) => syncFolder(each, files).catch(unlessAbsent)));
}

/** How often an object is written because a repack has deleted its folder, which was empty. */
const MAX_TRIES = 10;

async function writeOne(folder: string, { id, type, body }: NamedObject, files: DurableFiles): Promise<void> {
  const path = pathOf(folder, id);
  if (await freshen(path)) return;
  const bytes = await deflate(Buffer.concat([headerOf(type, body.length), body]));
  for (let tries = 1; ; tries++)
    try {
      await makeFolder(dirname(path), files);
      return await writeFileAtOnce(path, (handle) => handle.writeFile(bytes), files, folder);
    } catch (error) {
      if (!isAbsent(error) || tries >= MAX_TRIES) throw error;
    }
}

/** Sets the time of a file to now; returns false if that is impossible, as for a file that is not there. */
function freshen(path: string): Promise<boolean> {
  const now = new Date();
  return utimes(path, now, now).then(
    () => true,
    () => false,
  );
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

export const hasLoose = (folder: string, id: string): Promise<boolean> => isThere(pathOf(folder, id));

interface ObjectHeader {
  readonly type: ObjectType;
  readonly size: number;
  /** The offset of the body in the decompressed bytes. */
  readonly start: number;
}

/** Returns type and size of an object from the first bytes of its file. */
async function openingOf(handle: FileHandle): Promise<ObjectHeader> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
  return parseOpening(await firstBytes(buffer.subarray(0, bytesRead)));
}

function parseOpening(bytes: Buffer): ObjectHeader {
  const nul = bytes.subarray(0, MAX_HEADER).indexOf(0);
  if (nul < 0) throw damaged('An object has no header');
  return { ...parseHeader(bytes.toString('latin1', 0, nul)), start: nul + 1 };
}

/** Returns type and size of a loose object; undefined if it is not loose. */
export async function looseHeader(folder: string, id: string): Promise<Omit<ObjectHeader, 'start'> | undefined> {
  const handle = await open(pathOf(folder, id), 'r').catch(unlessAbsent);
  if (!handle) return undefined;
  try {
    return await openingOf(handle);
  } finally {
    await handle.close();
  }
}

/** Returns a loose object of at most `maxBytes`, verified against its id; undefined if it is not loose. */
export async function readLoose(folder: string, id: string, maxBytes: number): Promise<GitObject | undefined> {
  const path = pathOf(folder, id);
  const found = await stat(path).catch(unlessAbsent);
  if (!found) return undefined;
  if (found.size > maxCompressed(maxBytes + MAX_HEADER)) throw tooLarge(`The object ${id} is too large`);
  const compressed = await readFile(path).catch(unlessAbsent);
  if (!compressed) return undefined;
  const bytes = await inflate(compressed, maxBytes + MAX_HEADER);
  const { type, size, start } = parseOpening(bytes);
  const body = bytes.subarray(start);
  if (body.length !== size) throw damaged(`The object ${id} is damaged`);
  return requireId(id, { type, body });
}

/** Returns type, size and body of a loose object; the body is a stream that fails if it does not match the id. */
export async function streamLoose(
  folder: string,
  id: string,
): Promise<{ type: ObjectType; size: number; body: Readable } | undefined> {
  const handle = await open(pathOf(folder, id), 'r').catch(unlessAbsent);
  if (!handle) return undefined;
  const { type, size, start } = await openingOf(handle).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  const body = verifiedBody({ id, type, size }, start);
  // Errors propagate to the reader of the last stream, which closes the file.
  pipeline(handle.createReadStream({ start: 0 }), createInflate(), body, () => {});
  return { type, size, body };
}
