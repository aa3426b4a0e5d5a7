import type { Pause } from '../../cooperative.ts';
import { type Block, middleOf } from './middle.ts';

/** Marks, with 1, the lines of each text that the other text lacks. */
export interface Marks {
  readonly left: Uint8Array;
  readonly right: Uint8Array;
}

/** The least number of edits for which the shortest path is searched. */
const MIN_EDIT_LIMIT = 256;
/** Bounds the steps of a whole comparison; blocks that remain count as replaced. */
const MAX_STEPS = 200_000_000;

/** The numbers of some lines, with their positions in the text. */
interface Sequence {
  readonly ids: Int32Array;
  readonly positions: Int32Array;
}

function commonStart(left: Int32Array, right: Int32Array): number {
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  return at;
}

function commonEnd(left: Int32Array, right: Int32Array, start: number): number {
  let count = 0;
  const max = Math.min(left.length, right.length) - start;
  while (count < max && left[left.length - 1 - count] === right[right.length - 1 - count]) count++;
  return count;
}

/** Returns the lines of a range that also occur in the other text, and marks the others. */
function keepShared(
  ids: Int32Array,
  [from, to]: readonly [number, number],
  other: Set<number>,
  marks: Uint8Array,
): Sequence {
  const positions: number[] = [];
  for (let at = from; at < to; at++)
    if (other.has(ids[at] ?? -1)) positions.push(at);
    else marks[at] = 1;
  return { ids: Int32Array.from(positions, (at) => ids[at] ?? -1), positions: Int32Array.from(positions) };
}

/** Removes common items from both ends of a block. */
function trimBlock(left: Int32Array, right: Int32Array, block: Block): Block {
  const leftPart = left.subarray(block.left, block.left + block.leftCount);
  const rightPart = right.subarray(block.right, block.right + block.rightCount);
  const start = commonStart(leftPart, rightPart);
  const end = commonEnd(leftPart, rightPart, start);
  return {
    left: block.left + start,
    right: block.right + start,
    leftCount: block.leftCount - start - end,
    rightCount: block.rightCount - start - end,
  };
}

/** Compares two texts, given as the numbers of their lines. */
export async function compareLines(left: Int32Array, right: Int32Array, pause: Pause): Promise<Marks> {
  const marks = { left: new Uint8Array(left.length), right: new Uint8Array(right.length) };
  const start = commonStart(left, right);
  const end = commonEnd(left, right, start);
  const [leftRange, rightRange] = [
    [start, left.length - end],
    [start, right.length - end],
  ] as const;
  const inLeft = new Set(left.subarray(...leftRange));
  const inRight = new Set(right.subarray(...rightRange));
  const ours = keepShared(left, leftRange, inRight, marks.left);
  const theirs = keepShared(right, rightRange, inLeft, marks.right);
  const mark = ({ positions }: Sequence, into: Uint8Array, from: number, count: number) => {
    for (const position of positions.subarray(from, from + count)) into[position] = 1;
  };
  const maxEdits = Math.max(MIN_EDIT_LIMIT, Math.ceil(Math.sqrt(ours.ids.length + theirs.ids.length)));
  let steps = 0;
  const blocks: Block[] = [{ left: 0, right: 0, leftCount: ours.ids.length, rightCount: theirs.ids.length }];
  for (let next = blocks.pop(); next; next = blocks.pop()) {
    const block = trimBlock(ours.ids, theirs.ids, next);
    if (block.leftCount === 0 || block.rightCount === 0 || steps > MAX_STEPS) {
      mark(ours, marks.left, block.left, block.leftCount);
      mark(theirs, marks.right, block.right, block.rightCount);
      continue;
    }
    const middle = await middleOf(ours.ids, theirs.ids, block, { maxEdits, pause });
    steps += middle.edits * middle.edits + block.leftCount + block.rightCount;
    const [leftCount, rightCount] = [middle.left - block.left, middle.right - block.right];
    blocks.push(
      { ...block, leftCount, rightCount },
      {
        left: middle.left,
        right: middle.right,
        leftCount: block.leftCount - leftCount,
        rightCount: block.rightCount - rightCount,
      },
    );
  }
  return marks;
}
