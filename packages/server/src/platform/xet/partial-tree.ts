import { textOfHash } from './hash-text.ts';
import { isCut, MAX_CHILDREN, MIN_CUT_CHILDREN, parentOf, type TreeNode } from './hash-tree.ts';

/*
 * The tree of hashes over successive chunks of a file, without those around them: parents are made where their bounds
 * are certain. Clients join such parts with what they have changed (xet-core, merkle_hash_subtree.rs; the JSON form is its own).
 */

/** The nodes of one level that have no parent: before those that have one, and after them. */
interface Level {
  readonly left: readonly TreeNode[];
  readonly right: readonly TreeNode[];
}

/** Whether the first chunk is that of the file, and the last one. */
interface Ends {
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

/** Returns whether two ends of parents are so far apart that both are ends wherever the first parent begins. */
const isCertain = (distance: number): boolean => distance >= MIN_CUT_CHILDREN && distance < MAX_CHILDREN - 1;

/** Returns the nodes from which a parent begins, whatever comes before and after: the first one and the last one. */
function certainBounds(nodes: readonly TreeNode[]): { readonly first: number; readonly last: number } | undefined {
  const cuts = nodes.flatMap(({ hash }, at) => (isCut(hash) ? [at] : []));
  const bounds = cuts.flatMap((cut, at) => {
    const [before, after] = [cuts[at - 1], cuts[at + 1]];
    if (before === undefined || after === undefined) return [];
    return isCertain(cut - before) && isCertain(after - cut) ? [cut + 1] : [];
  });
  const first = bounds.at(0);
  return first === undefined ? undefined : { first, last: bounds.at(-1) ?? first };
}

/** Returns the part of some nodes whose parents are certain; undefined if there is none. */
function certainPart(nodes: readonly TreeNode[], { atStart, atEnd }: Ends) {
  if (nodes.length < 2) return undefined;
  const bounds = atStart && atEnd ? undefined : certainBounds(nodes);
  const from = atStart ? 0 : bounds?.first;
  const to = atEnd ? nodes.length : bounds?.last;
  return from === undefined || to === undefined || from >= to ? undefined : { from, to };
}

/** Returns the parents of nodes of which the first one begins a parent. */
function parentsOf(nodes: readonly TreeNode[]): TreeNode[] {
  const parents: TreeNode[] = [];
  let first = 0;
  for (const [at, { hash }] of nodes.entries()) {
    const children = at + 1 - first;
    const isLast = children === MAX_CHILDREN || (children >= MIN_CUT_CHILDREN && isCut(hash));
    if (!isLast && at + 1 < nodes.length) continue;
    parents.push(parentOf(nodes.slice(first, at + 1)));
    first = at + 1;
  }
  return parents;
}

/** Joins two parts, of which the second one follows the first one. */
function joined(before: readonly Level[], after: readonly Level[], ends: Ends): Level[] {
  const levels: Level[] = [];
  let { atStart, atEnd } = ends;
  let parents: readonly TreeNode[] = [];
  for (let at = 0; at < Math.max(before.length, after.length) || parents.length > 0; at++) {
    const [first, second] = [before[at], after[at]];
    const nodes = [
      ...[...(first?.left ?? []), ...(first?.right ?? [])],
      ...[...parents, ...(second?.left ?? []), ...(second?.right ?? [])],
    ];
    const part = certainPart(nodes, { atStart, atEnd });
    const level = part ? { left: nodes.slice(0, part.from), right: nodes.slice(part.to) } : { left: nodes, right: [] };
    levels.push(level);
    parents = part ? parentsOf(nodes.slice(part.from, part.to)) : [];
    atStart &&= level.left.length === 0;
    atEnd &&= level.right.length === 0;
  }
  return levels;
}

const isEmpty = ({ left, right }: Level): boolean => left.length + right.length === 0;

export type PartialTree = ReturnType<typeof createPartialTree>;

/** Collects the chunks of a part of a file. `atStart`: its first chunk is that of the file. */
export function createPartialTree(atStart: boolean) {
  let levels: readonly Level[] = [];
  return {
    /** Adds the next chunks: many at once cost less. */
    add(chunks: readonly TreeNode[]): void {
      levels = joined(levels, [{ left: chunks, right: [] }], { atStart, atEnd: false });
    },

    /** Returns the form that clients read; null without chunks. `atEnd`: the last chunk is that of the file. */
    end(atEnd: boolean) {
      const all = atEnd ? joined(levels, [], { atStart, atEnd }) : levels;
      const used = all.slice(0, all.findLastIndex((level) => !isEmpty(level)) + 1);
      if (used.length === 0) return null;
      const nodes = [...used.flatMap(({ left }) => left), ...used.toReversed().flatMap(({ right }) => right)];
      return {
        nodes: nodes.map(({ hash, bytes }) => ({ hash: textOfHash(hash), size: bytes })),
        levels: used.map(({ left, right }): [number, number] => [left.length, right.length]),
        ...{ at_start: atStart, at_end: atEnd },
      };
    },
  };
}
