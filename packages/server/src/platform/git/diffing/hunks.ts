import type { Edit } from '../lines/edits.ts';
import type { Lines } from '../lines/line-table.ts';
import type { ByteText } from '../objects/byte-text.ts';

const CONTEXT = 3;

/** Groups edits that are close enough to share a hunk. */
function groupEdits(edits: readonly Edit[]): Edit[][] {
  const groups: Edit[][] = [];
  for (const edit of edits) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last && before && edit.leftStart - before.leftEnd <= 2 * CONTEXT) last.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

const range = (start: number, count: number): string => {
  const first = count === 0 ? start : start + 1;
  return count === 1 ? String(first) : `${first},${count}`;
};

const diffLine = (sign: string, line: ByteText): ByteText =>
  line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;

function hunk(edits: readonly Edit[], left: Lines, right: Lines): ByteText[] {
  const [first, last] = [edits[0], edits.at(-1)];
  if (!first || !last) return [];
  const above = Math.min(CONTEXT, first.leftStart);
  const below = Math.min(CONTEXT, left.texts.length - last.leftEnd);
  const [leftStart, leftEnd] = [first.leftStart - above, last.leftEnd + below];
  const [rightStart, rightEnd] = [first.rightStart - above, last.rightEnd + below];
  const out = [`@@ -${range(leftStart, leftEnd - leftStart)} +${range(rightStart, rightEnd - rightStart)} @@\n`];
  const add = (sign: string, lines: readonly ByteText[]) => {
    for (const line of lines) out.push(diffLine(sign, line));
  };
  let at = leftStart;
  for (const edit of edits) {
    add(' ', left.texts.slice(at, edit.leftStart));
    add('-', left.texts.slice(edit.leftStart, edit.leftEnd));
    add('+', right.texts.slice(edit.rightStart, edit.rightEnd));
    at = edit.leftEnd;
  }
  add(' ', left.texts.slice(at, leftEnd));
  return out;
}

/** Returns the lines of a unified diff without its file headers. */
export const hunksOf = (edits: readonly Edit[], left: Lines, right: Lines): ByteText[] =>
  groupEdits(edits).flatMap((group) => hunk(group, left, right));
