import type { Pause } from '../../in-turns.ts';
import { compareLines, type Marks } from './compare-lines.ts';

/** Lines of one text that take the place of lines of another; the ends are behind the last line. */
export interface Edit {
  readonly leftStart: number;
  readonly leftEnd: number;
  readonly rightStart: number;
  readonly rightEnd: number;
}

function fromMarks({ left, right }: Marks): Edit[] {
  const edits: Edit[] = [];
  let [leftAt, rightAt] = [0, 0];
  while (leftAt < left.length || rightAt < right.length) {
    const [leftStart, rightStart] = [leftAt, rightAt];
    while (left[leftAt] === 1) leftAt++;
    while (right[rightAt] === 1) rightAt++;
    if (leftAt > leftStart || rightAt > rightStart)
      edits.push({ leftStart, leftEnd: leftAt, rightStart, rightEnd: rightAt });
    else {
      leftAt++;
      rightAt++;
    }
  }
  return edits;
}

/** Returns by how many lines what was only added or only taken away may be said to be further down. */
function slack(ids: Int32Array, start: number, end: number, limit: number): number {
  let by = 0;
  while (by < limit && ids[start + by] === ids[end + by]) by++;
  return by;
}

/** Moves what may be in several places as far down as it goes, so that equal edits of two texts are found equal. */
function movedDown(edits: readonly Edit[], left: Int32Array, right: Int32Array): Edit[] {
  const moved: Edit[] = [];
  let joined: Edit | undefined;
  for (const [at, edit] of edits.entries()) {
    const { leftStart, rightStart } = joined ?? edit;
    const current = { ...edit, leftStart, rightStart };
    const next = edits[at + 1] ?? { leftStart: left.length, rightStart: right.length };
    const room = next.leftStart - current.leftEnd;
    let by = 0;
    if (current.leftStart === current.leftEnd) by = slack(right, current.rightStart, current.rightEnd, room);
    else if (current.rightStart === current.rightEnd) by = slack(left, current.leftStart, current.leftEnd, room);
    const down = {
      leftStart: current.leftStart + by,
      leftEnd: current.leftEnd + by,
      rightStart: current.rightStart + by,
      rightEnd: current.rightEnd + by,
    };
    joined = by > 0 && by === room && at + 1 < edits.length ? down : undefined;
    if (!joined) moved.push(down);
  }
  return moved;
}

/** Returns the edits that make one text of another, in their order. */
export async function editsBetween(left: Int32Array, right: Int32Array, pause: Pause): Promise<Edit[]> {
  return movedDown(fromMarks(await compareLines(left, right, pause)), left, right);
}
