import type { Pause } from '../../in-turns.ts';
import type { ByteText } from '../objects/byte-text.ts';
import { type Edit, editsBetween } from './edits.ts';
import { type Lines, LineTable } from './line-table.ts';

export interface MergedText {
  readonly text: Buffer;
  /** Whether some lines are there twice, between markers. */
  readonly hasConflicts: boolean;
}

/** The edits of one side that are not merged yet. */
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

  /** Takes the edits that begin at or before a line of the base; returns them. */
  takeUpTo(line: number): Edit[] {
    const from = this.#at;
    while (this.next && this.next.leftStart <= line) this.#at++;
    return this.#edits.slice(from, this.#at);
  }

  /** Returns what this side has for lines of the base that begin and end with, or outside of, the given edits. */
  linesFor(edits: readonly Edit[], start: number, end: number): readonly ByteText[] {
    const [first, last] = [edits[0], edits.at(-1)];
    if (!first || !last) return [];
    return this.lines.texts.slice(first.rightStart - (first.leftStart - start), last.rightEnd + (end - last.leftEnd));
  }
}

const isEqual = (one: readonly ByteText[], other: readonly ByteText[]): boolean =>
  one.length === other.length && one.every((line, at) => line === other[at]);

const ended = (line: ByteText): ByteText => (line.endsWith('\n') ? line : `${line}\n`);

/**
 * Merges two texts that come from the same base. Edits conflict where they overlap or touch each other, unless both sides
 * did the same.
 */
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
  let place = 0;
  for (;;) {
    const start = Math.min(us.next?.leftStart ?? Infinity, them.next?.leftStart ?? Infinity);
    if (start === Infinity) break;
    let end = start;
    const [mine, others]: [Edit[], Edit[]] = [[], []];
    for (let grown = true; grown; ) {
      const [more, moreOthers] = [us.takeUpTo(end), them.takeUpTo(end)];
      mine.push(...more);
      others.push(...moreOthers);
      end = Math.max(end, ...more.map(({ leftEnd }) => leftEnd), ...moreOthers.map(({ leftEnd }) => leftEnd));
      grown = more.length + moreOthers.length > 0;
    }
    add(from.texts.slice(place, start));
    place = end;
    const [one, other] = [us.linesFor(mine, start, end), them.linesFor(others, start, end)];
    if (others.length === 0) add(one);
    else if (mine.length === 0) add(other);
    else if (isEqual(one, other)) add(one);
    else {
      hasConflicts = true;
      add(['<<<<<<<\n', ...one.map(ended), '=======\n', ...other.map(ended), '>>>>>>>\n']);
    }
  }
  add(from.texts.slice(place));
  return { text: Buffer.from(merged.join(''), 'latin1'), hasConflicts };
}
