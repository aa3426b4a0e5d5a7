import type { Commit } from '../objects/commit.ts';
import { parseCommit } from '../objects/commit.ts';
import { type GitObject, type NamedObject, withId } from '../objects/object.ts';
import { parseTree, type TreeEntry } from '../objects/tree.ts';
import type { GitRepository } from '../repository.ts';

/** Longer files are not merged line by line. */
const MAX_MERGED_BYTES = 10 * 1024 * 1024;

/** The objects that a merge reads and writes. */
export interface MergeObjects {
  readTree(id: string): Promise<readonly TreeEntry[]>;
  readCommit(id: string): Promise<Commit>;
  /** Returns the bytes of a file, or undefined if they exceed the limit. */
  readFile(id: string): Promise<Buffer | undefined>;
  /** Stores an object; returns its id. */
  add(object: GitObject): Promise<string>;
}

type Reader = Pick<GitRepository, 'read' | 'readTree' | 'readCommit' | 'header'>;

/** The objects of a repository, plus merged bases that stay in memory and are never written. */
export class Overlay implements MergeObjects {
  readonly #objects = new Map<string, NamedObject>();
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async readTree(id: string): Promise<readonly TreeEntry[]> {
    const object = this.#objects.get(id);
    return object ? parseTree(object.body) : this.#reader.readTree(id);
  }

  async readCommit(id: string): Promise<Commit> {
    const object = this.#objects.get(id);
    return object ? parseCommit(object.body) : this.#reader.readCommit(id);
  }

  async readFile(id: string): Promise<Buffer | undefined> {
    const object = this.#objects.get(id);
    const size = object?.body.length ?? (await this.#reader.header(id)).size;
    if (size > MAX_MERGED_BYTES) return undefined;
    return (object ?? (await this.#reader.read(id))).body;
  }

  async add(object: GitObject): Promise<string> {
    const added = withId(object);
    this.#objects.set(added.id, added);
    return added.id;
  }

  /** Returns the same objects for reading, with another destination for new ones. */
  writingTo(add: MergeObjects['add']): MergeObjects {
    return {
      readTree: (id) => this.readTree(id),
      readCommit: (id) => this.readCommit(id),
      readFile: (id) => this.readFile(id),
      add,
    };
  }
}
