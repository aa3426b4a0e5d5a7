import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { LRUCache } from 'lru-cache';
import type { DurableFiles } from '../durable-folders.ts';
import { isAbsent } from './durable-files.ts';
import { damaged, missing } from './fault.ts';
import { hasLoose, looseHeader, readLoose, streamLoose } from './loose-objects.ts';
import { createObjectWriter, type ObjectWriter } from './object-writer.ts';
import { type Commit, parseCommit } from './objects/commit.ts';
import type { GitObject, ObjectType } from './objects/object.ts';
import { parseTag } from './objects/tag.ts';
import { parseLargeTree, parseTree, type TreeEntry } from './objects/tree.ts';
import type { KeptPacks } from './packs/finished-pack.ts';
import { createPackReader } from './packs/pack-reader.ts';
import type { TreeBodies } from './packs/packed-objects.ts';

/** The maximum size of an object that is read into memory. */
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024;
/** The maximum size of a commit, tag or tree; a tree of 100,000 files has about 5 MB. */
const MAX_STRUCTURE_BYTES = 16 * 1024 * 1024;
/** A larger tree takes milliseconds to parse. */
const MAX_SMALL_TREE = 64 * 1024;
/** The maximum size of a cached object. */
const MAX_CACHED_BYTES = 256 * 1024;
const MAX_TAG_DEPTH = 8;

export type ObjectCache = LRUCache<string, GitObject>;
export type TreeCache = LRUCache<string, readonly TreeEntry[]>;

/** Returns an object that is stored outside the repository's folder; undefined if there is none. */
export type ReadFallback = (id: string) => Promise<GitObject | undefined>;

/** Where the objects of a repository are besides its folder. */
export interface OtherPlaces {
  readonly fallback?: ReadFallback | undefined;
  /** Given if the packs of the repository are kept elsewhere. */
  readonly packs?: KeptPacks | undefined;
}

interface Parts extends OtherPlaces {
  /** The folder of the bare repository. */
  readonly folder: string;
  readonly files: DurableFiles;
  readonly cache: ObjectCache;
  /** Parsed trees. */
  readonly trees: TreeCache;
  readonly treeBodies: TreeBodies;
}

export interface OpenObject {
  readonly type: ObjectType;
  readonly size: number;
  readonly body: Readable;
}

/** The objects of one bare repository. */
export interface GitRepository {
  /** Returns an object. Throws a `GitFault` if it is missing, damaged or too large for memory. */
  read(id: string): Promise<GitObject>;
  readTree(id: string): Promise<readonly TreeEntry[]>;
  /** Returns a tree as it is stored. */
  treeBody(id: string): Promise<Buffer>;
  readCommit(id: string): Promise<Commit>;
  /** Returns the type and size of an object. */
  header(id: string): Promise<{ readonly type: ObjectType; readonly size: number }>;
  /** Returns whether an object is on the disk, or in a pack that is kept elsewhere. */
  has(id: string): Promise<boolean>;
  /** Returns the ids that begin with a prefix; if there are several, at least two of them. */
  idsWithPrefix(prefix: string): Promise<string[]>;
  /** Returns a body of any size as a stream. */
  stream(id: string): Promise<OpenObject>;
  /** Returns the commit that an annotated tag refers to, or the commit itself. */
  peel(id: string): Promise<string>;
  writer(): ObjectWriter;
}

/** Opens a bare repository, which need not exist yet. */
export function openRepository({
  folder,
  files,
  cache,
  trees,
  treeBodies,
  fallback = async () => undefined,
  packs: kept,
}: Parts): GitRepository {
  const objects = join(folder, 'objects');
  const packs = createPackReader(join(objects, 'pack'), treeBodies, kept);
  const keyOf = (id: string) => `${folder} ${id}`;

  async function readWithin(id: string, maxBytes: number): Promise<GitObject> {
    const key = keyOf(id);
    const tree = treeBodies.get(key);
    const known = tree ? { type: 'tree' as const, body: tree } : cache.get(key);
    if (known) return known;
    const object = (await readLoose(objects, id, maxBytes)) ?? (await readFromPack(id, maxBytes));
    remember(id, object);
    return object;
  }

  function remember(id: string, { type, body }: GitObject): void {
    if (body.length <= MAX_CACHED_BYTES) cache.set(keyOf(id), { type, body });
    else if (type === 'tree') treeBodies.set(keyOf(id), body);
  }

  async function readFromPack(id: string, maxBytes: number): Promise<GitObject> {
    const found =
      (await packs.read(id, maxBytes)) ??
      // A repack may have removed the loose object between the two look-ups.
      (await readLoose(objects, id, maxBytes)) ??
      (await fallback(id)) ??
      (await packs.readKept(id, maxBytes));
    if (found) return found;
    throw missing(id);
  }

  async function readAs(type: ObjectType, id: string): Promise<Buffer> {
    const object = await readWithin(id, MAX_STRUCTURE_BYTES);
    if (object.type !== type) throw damaged(`The object ${id} is not a ${type}`);
    return object.body;
  }

  async function looseIds(prefix: string): Promise<string[]> {
    const first = prefix.slice(0, 2);
    const names = await readdir(join(objects, first)).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    return names.map((name) => first + name).filter((id) => /^[0-9a-f]{40}$/.test(id) && id.startsWith(prefix));
  }

  return {
    read: (id) => readWithin(id, MAX_OBJECT_BYTES),
    async readTree(id) {
      const key = keyOf(id);
      const known = trees.get(key);
      if (known) return known;
      const body = await readAs('tree', id);
      const entries = body.length > MAX_SMALL_TREE ? await parseLargeTree(body) : parseTree(body);
      trees.set(key, entries);
      return entries;
    },
    treeBody: (id) => readAs('tree', id),
    readCommit: async (id) => parseCommit(await readAs('commit', id)),

    async header(id) {
      const known = cache.get(keyOf(id));
      if (known) return { type: known.type, size: known.body.length };
      const loose = await looseHeader(objects, id);
      if (loose) return { type: loose.type, size: loose.size };
      const packed = await packs.header(id);
      if (packed) return packed;
      const { type, body } = await readWithin(id, MAX_OBJECT_BYTES);
      return { type, size: body.length };
    },

    has: async (id) => (await hasLoose(objects, id)) || packs.has(id),

    async idsWithPrefix(prefix) {
      const ids = [...(await looseIds(prefix)), ...(await packs.idsWithPrefix(prefix, 2))];
      return [...new Set(ids)];
    },

    async stream(id) {
      const loose = await streamLoose(objects, id);
      if (loose) return loose;
      const packed = await packs.stream(id, MAX_OBJECT_BYTES);
      if (packed) return packed;
      const { type, body } = await readWithin(id, MAX_OBJECT_BYTES);
      return { type, size: body.length, body: Readable.from([body], { objectMode: false }) };
    },

    async peel(id) {
      let current = id;
      for (let depth = 0; depth <= MAX_TAG_DEPTH; depth++) {
        const object = await readWithin(current, MAX_STRUCTURE_BYTES);
        if (object.type === 'commit') return current;
        if (object.type !== 'tag') throw damaged(`The object ${id} does not lead to a commit`);
        current = parseTag(object.body).object;
      }
      throw damaged(`The tag ${id} passes through too many tags`);
    },

    writer: () =>
      createObjectWriter({
        ...{ objectsFolder: objects, files, keep: kept?.keep },
        onWritten: (object) => remember(object.id, object),
      }),
  };
}
