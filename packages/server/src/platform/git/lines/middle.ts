import type { Pause } from '../../cooperative.ts';

/** A part of two sequences, given by its starts and its numbers of items. */
export interface Block {
  readonly left: number;
  readonly right: number;
  readonly leftCount: number;
  readonly rightCount: number;
}

/** The value of a diagonal that no path has reached. */
const UNREACHED = -(2 ** 29);

/** How far paths with a number of edits reach on each diagonal, seen from one end of a block. */
class Reach {
  readonly #furthest: Int32Array;
  readonly #offset: number;
  readonly #leftCount: number;
  readonly #rightCount: number;

  constructor({ leftCount, rightCount }: Block, maxEdits: number) {
    const size = Math.min(maxEdits, leftCount + rightCount) + 2;
    this.#furthest = new Int32Array(2 * size + 1).fill(UNREACHED);
    this.#offset = size;
    this.#leftCount = leftCount;
    this.#rightCount = rightCount;
  }

  at = (diagonal: number): number => this.#furthest[diagonal + this.#offset] ?? UNREACHED;

  /** Returns where one more edit leads on a diagonal, before equal items are skipped. */
  step(diagonal: number, edits: number): number {
    if (edits === 0) return 0;
    const along = this.at(diagonal - 1) + 1;
    const down = this.at(diagonal + 1);
    const best = Math.max(
      along <= this.#leftCount ? along : UNREACHED,
      down - diagonal <= this.#rightCount ? down : UNREACHED,
    );
    return best < Math.max(0, diagonal) ? UNREACHED : best;
  }

  set(diagonal: number, furthest: number): void {
    this.#furthest[diagonal + this.#offset] = furthest;
  }
}

const isWithin = (diagonal: number, edits: number): boolean => Math.abs(diagonal) <= edits;

/**
 * Returns a point on a shortest edit path through a block, by the linear-space algorithm of Myers. If the path has more
 * than twice `maxEdits` edits, returns the furthest point found. The block must not begin or end with equal items.
 */
export async function middleOf(
  left: Int32Array,
  right: Int32Array,
  block: Block,
  { maxEdits, pause }: { readonly maxEdits: number; readonly pause: Pause },
): Promise<{ readonly left: number; readonly right: number; readonly edits: number }> {
  const { leftCount, rightCount } = block;
  const [leftEnd, rightEnd] = [block.left + leftCount - 1, block.right + rightCount - 1];
  const [forward, backward] = [new Reach(block, maxEdits), new Reach(block, maxEdits)];
  const delta = leftCount - rightCount;
  const isOdd = delta % 2 !== 0;
  const point = (x: number, y: number, edits: number) => ({ left: block.left + x, right: block.right + y, edits });
  let best = { x: 0, y: 0 };

  for (let edits = 0; edits <= maxEdits; edits++) {
    const waiting = pause();
    if (waiting) await waiting;
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = forward.step(diagonal, edits);
      if (x === UNREACHED) continue;
      while (x < leftCount && x - diagonal < rightCount && left[block.left + x] === right[block.right + x - diagonal])
        x++;
      forward.set(diagonal, x);
      if (2 * x - diagonal > best.x + best.y) best = { x, y: x - diagonal };
      if (isOdd && isWithin(delta - diagonal, edits - 1) && x + backward.at(delta - diagonal) >= leftCount)
        return point(x, x - diagonal, edits);
    }
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = backward.step(diagonal, edits);
      if (x === UNREACHED) continue;
      while (x < leftCount && x - diagonal < rightCount && left[leftEnd - x] === right[rightEnd - (x - diagonal)]) x++;
      backward.set(diagonal, x);
      if (!isOdd && isWithin(delta - diagonal, edits) && x + forward.at(delta - diagonal) >= leftCount)
        return point(leftCount - x, rightCount - (x - diagonal), edits);
    }
  }
  return point(best.x, best.y, maxEdits);
}
