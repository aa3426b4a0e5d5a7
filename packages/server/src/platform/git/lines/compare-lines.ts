import type { Pause } from '../../in-turns.ts';
import { type Block, middleOf } from './middle.ts';

/** For each line whether the other text lacks it. */
export interface Marks {
  readonly left: Uint8Array;
  readonly right: Uint8Array;
}

/** Longer paths are not searched for the shortest. */
const MIN_MAX_EDITS = 256;
/** Steps of a whole comparison; what is not compared by then counts as replaced. */
const MAX_STEPS = 200_000_000;

/** Numbers of lines, with where each line is. */
interface Sequence {
  readonly ids: Int32Array;
  readonly places: Int32Array;
}

function commonStart(left: Int32Array, right: Int32Array): number {
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  return at;
}

function commonEnd(left: Int32Array, right: Int32Array, start: number): number {
  let count = 0;
  const most = Math.min(left.length, right.length) - start;
  while (count < most && left[left.length - 1 - count] === right[right.length - 1 - count]) count++;
  return count;
}

/** Returns the lines between two places that occur in the other text, too; marks the rest. */
function shared(
  ids: Int32Array,
  [from, to]: readonly [number, number],
  other: Set<number>,
  marks: Uint8Array,
): Sequence {
  const places: number[] = [];
  for (let at = from; at < to; at++)
    if (other.has(ids[at] ?? -1)) places.push(at);
    else marks[at] = 1;
  return { ids: Int32Array.from(places, (at) => ids[at] ?? -1), places: Int32Array.from(places) };
}

/** Leaves out what a block begins and ends with in both sequences. */
function trimmed(left: Int32Array, right: Int32Array, block: Block): Block {
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

/** Compares two texts by the numbers of their lines. */
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
  const ours = shared(left, leftRange, inRight, marks.left);
  const theirs = shared(right, rightRange, inLeft, marks.right);
  const mark = ({ places }: Sequence, into: Uint8Array, from: number, count: number) => {
    for (const place of places.subarray(from, from + count)) into[place] = 1;
  };
  const maxEdits = Math.max(MIN_MAX_EDITS, Math.ceil(Math.sqrt(ours.ids.length + theirs.ids.length)));
  let steps = 0;
  const open: Block[] = [{ left: 0, right: 0, leftCount: ours.ids.length, rightCount: theirs.ids.length }];
  for (let next = open.pop(); next; next = open.pop()) {
    const block = trimmed(ours.ids, theirs.ids, next);
    if (block.leftCount === 0 || block.rightCount === 0 || steps > MAX_STEPS) {
      mark(ours, marks.left, block.left, block.leftCount);
      mark(theirs, marks.right, block.right, block.rightCount);
      continue;
    }
    const middle = await middleOf(ours.ids, theirs.ids, block, { maxEdits, pause });
    steps += middle.edits * middle.edits + block.leftCount + block.rightCount;
    const [leftCount, rightCount] = [middle.left - block.left, middle.right - block.right];
    open.push(
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
