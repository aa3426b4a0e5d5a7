import type { Pause } from '../../cooperative.ts';
import { compareLines, type Marks } from './compare-lines.ts';

/** A range of lines of one text that replaces a range of the other; the ends are exclusive. */
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

/** Returns the number of lines by which a pure insertion or deletion can slide down. */
function slack(ids: Int32Array, start: number, end: number, limit: number): number {
  let shift = 0;
  while (shift < limit && ids[start + shift] === ids[end + shift]) shift++;
  return shift;
}

/** Slides ambiguous edits down as far as possible, so that equal edits in two texts are recognized as equal. */
function slideDown(edits: readonly Edit[], left: Int32Array, right: Int32Array): Edit[] {
  const moved: Edit[] = [];
  let joined: Edit | undefined;
  for (const [at, edit] of edits.entries()) {
    const { leftStart, rightStart } = joined ?? edit;
    const current = { ...edit, leftStart, rightStart };
    const next = edits[at + 1] ?? { leftStart: left.length, rightStart: right.length };
    const room = next.leftStart - current.leftEnd;
    let shift = 0;
    if (current.leftStart === current.leftEnd) shift = slack(right, current.rightStart, current.rightEnd, room);
    else if (current.rightStart === current.rightEnd) shift = slack(left, current.leftStart, current.leftEnd, room);
    const down = {
      leftStart: current.leftStart + shift,
      leftEnd: current.leftEnd + shift,
      rightStart: current.rightStart + shift,
      rightEnd: current.rightEnd + shift,
    };
    joined = shift > 0 && shift === room && at + 1 < edits.length ? down : undefined;
    if (!joined) moved.push(down);
  }
  return moved;
}

/** Returns the edits that turn one text into another, in order. */
export async function editsBetween(left: Int32Array, right: Int32Array, pause: Pause): Promise<Edit[]> {
  return slideDown(fromMarks(await compareLines(left, right, pause)), left, right);
}
