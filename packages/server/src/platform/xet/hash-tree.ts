import { textOfHash } from './hash-text.ts';
import { hashNode } from './keyed-hashes.ts';

/** A node has two children or more, unless it is the last of its level, and at most this many. */
export const MAX_CHILDREN = 9;
/** From this many children on, a child whose hash is divisible by `MEAN_CHILDREN` is the last one. */
export const MIN_CUT_CHILDREN = 3;
const MEAN_CHILDREN = 4n;

/** A node of a tree of hashes; at the lowest level a chunk. */
export interface TreeNode {
  readonly hash: Uint8Array;
  /** The number of bytes below the node. */
  readonly bytes: number;
}

interface Level {
  /** The last nodes of this level, whose parent waits for further children. */
  children: TreeNode[];
  /** The number of nodes of the level so far. */
  count: number;
}

export type HashTree = ReturnType<typeof createHashTree>;

/**
 * Computes the root of a tree over the hashes of chunks, which arrive one after the other: it identifies a xorb, and
 * hashed again a file (Xet specification, hashing.md). Needs memory only for the nodes on one path.
 */
export function createHashTree() {
  const levels: Level[] = [];

  function add(at: number, node: TreeNode): void {
    const level = levels[at] ?? { children: [], count: 0 };
    levels[at] = level;
    level.count += 1;
    level.children.push(node);
    if (level.children.length === MAX_CHILDREN || (level.children.length >= MIN_CUT_CHILDREN && isCut(node.hash)))
      close(at, level);
  }

  function close(at: number, level: Level): void {
    const { children } = level;
    level.children = [];
    add(at + 1, parentOf(children));
  }

  return {
    add: (hash: Uint8Array, bytes: number): void => add(0, { hash, bytes }),

    /** Returns the root; undefined without chunks. Nothing can be added after. */
    root(): Uint8Array | undefined {
      for (let at = 0; ; at++) {
        const level = levels[at];
        if (!level) return undefined;
        if (level.count === 1) return level.children[0]?.hash;
        if (level.children.length > 0) close(at, level);
      }
    },
  };
}

/** Returns whether a child with this hash is the last one, if there are enough before it. */
export const isCut = (hash: Uint8Array): boolean =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.length).readBigUInt64LE(24) % MEAN_CHILDREN === 0n;

export function parentOf(children: readonly TreeNode[]): TreeNode {
  const text = children.map(({ hash, bytes }) => `${textOfHash(hash)} : ${bytes}\n`).join('');
  return { hash: hashNode(Buffer.from(text)), bytes: children.reduce((sum, { bytes }) => sum + bytes, 0) };
}
