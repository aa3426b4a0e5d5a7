import type { Pause } from '../../cooperative.ts';
import type { ByteText } from '../objects/byte-text.ts';
import { type Edit, editsBetween } from './edits.ts';
import { type Lines, LineTable } from './line-table.ts';

export interface MergedText {
  readonly text: Buffer;
  /** Whether the text contains conflicts between markers. */
  readonly hasConflicts: boolean;
}

/** One side of a merge, with its edits that are not merged yet. */
class Side {
  readonly lines: Lines;
  readonly #edits: readonly Edit[];
  #at = 0;

  constructor(lines: Lines, edits: readonly Edit[]) {
    this.lines = lines;
    this.#edits = edits;
  }

  get next(): Edit | undefined {
    return this.#edits[this.#at];
  }

  /** Takes and returns the next edits that begin at or before a line of the base. */
  takeUpTo(line: number): Edit[] {
    const from = this.#at;
    while (this.next && this.next.leftStart <= line) this.#at++;
    return this.#edits.slice(from, this.#at);
  }

  /** Returns the side's lines for a range of the base that encloses the given edits. */
  linesFor(edits: readonly Edit[], start: number, end: number): readonly ByteText[] {
    const [first, last] = [edits[0], edits.at(-1)];
    if (!first || !last) return [];
    return this.lines.texts.slice(first.rightStart - (first.leftStart - start), last.rightEnd + (end - last.leftEnd));
  }
}

const isEqual = (one: readonly ByteText[], other: readonly ByteText[]): boolean =>
  one.length === other.length && one.every((line, at) => line === other[at]);

const withNewline = (line: ByteText): ByteText => (line.endsWith('\n') ? line : `${line}\n`);

/** Merges two texts with a common base. Edits that overlap or touch conflict unless they are equal. */
export async function mergeLines(
  { base, ours, theirs }: { readonly base: Buffer; readonly ours: Buffer; readonly theirs: Buffer },
  pause: Pause,
): Promise<MergedText> {
  const table = new LineTable(pause);
  const [from, left, right] = [await table.split(base), await table.split(ours), await table.split(theirs)];
  const us = new Side(left, await editsBetween(from.ids, left.ids, pause));
  const them = new Side(right, await editsBetween(from.ids, right.ids, pause));
  const merged: ByteText[] = [];
  const add = (lines: readonly ByteText[]) => {
    for (const line of lines) merged.push(line);
  };
  let hasConflicts = false;
  let position = 0;
  for (;;) {
    const start = Math.min(us.next?.leftStart ?? Infinity, them.next?.leftStart ?? Infinity);
    if (start === Infinity) break;
    let end = start;
    const [ourEdits, theirEdits]: [Edit[], Edit[]] = [[], []];
    for (let hasGrown = true; hasGrown; ) {
      const [ourNext, theirNext] = [us.takeUpTo(end), them.takeUpTo(end)];
      ourEdits.push(...ourNext);
      theirEdits.push(...theirNext);
      end = Math.max(end, ...ourNext.map(({ leftEnd }) => leftEnd), ...theirNext.map(({ leftEnd }) => leftEnd));
      hasGrown = ourNext.length + theirNext.length > 0;
    }
    add(from.texts.slice(position, start));
    position = end;
    const [one, other] = [us.linesFor(ourEdits, start, end), them.linesFor(theirEdits, start, end)];
    if (theirEdits.length === 0) add(one);
    else if (ourEdits.length === 0) add(other);
    else if (isEqual(one, other)) add(one);
    else {
      hasConflicts = true;
      add(['<<<<<<<\n', ...one.map(withNewline), '=======\n', ...other.map(withNewline), '>>>>>>>\n']);
    }
  }
  add(from.texts.slice(position));
  return { text: Buffer.from(merged.join(''), 'latin1'), hasConflicts };
}
