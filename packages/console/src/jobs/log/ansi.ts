/** A piece of a line of a log, in one colour. */
export interface Piece {
  readonly text: string;
  readonly color?: string;
  readonly isBold?: true;
}

const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

/** The characters with which a sequence for terminals begins, and with which it may end. */
const ESCAPE = '\u001b';
const BELL = '\u0007';
const SEQUENCE = new RegExp(
  `${ESCAPE}(?:\\[([0-9;:?]*)[ -/]*([@-~])|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[@-Z\\\\^_])`,
  'g',
);

/**
 * Splits a line that was written for a terminal into what it shows: its colours and bold texts are kept, other sequences are
 * left out, and of a line that was written over, as by a progress bar, the last text remains.
 */
export function piecesOf(line: string): readonly Piece[] {
  const shown = line.replace(/\r+$/, '');
  const pieces: Piece[] = [];
  let style: Omit<Piece, 'text'> = {};
  let at = 0;
  const push = (text: string) => {
    const over = text.lastIndexOf('\r');
    if (over >= 0) pieces.length = 0;
    if (over + 1 < text.length) pieces.push({ text: text.slice(over + 1), ...style });
  };
  for (const { 0: sequence, 1: parameters = '', 2: final, index } of shown.matchAll(SEQUENCE)) {
    push(shown.slice(at, index));
    at = index + sequence.length;
    if (final === 'm') style = styleAfter(style, parameters);
  }
  push(shown.slice(at));
  return pieces;
}

/** Returns the text that a line shows. */
export const textOf = (line: string): string =>
  piecesOf(line)
    .map(({ text }) => text)
    .join('');

function styleAfter(before: Omit<Piece, 'text'>, parameters: string): Omit<Piece, 'text'> {
  let { color, isBold } = before;
  const codes = parameters.split(/[;:]/).map(Number);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) [color, isBold] = [undefined, undefined];
    else if (code === 1) isBold = true;
    else if (code === 22) isBold = undefined;
    else if (code === 39) color = undefined;
    else if (code >= 30 && code <= 37) color = COLORS[code - 30];
    else if (code >= 90 && code <= 97) color = COLORS[code - 90];
    // Of 256 colours, or of all, none is taken: what is legible on one background is not on the other.
    else if (code === 38 || code === 48) at += codes[at + 1] === 2 ? 4 : 2;
  }
  return { ...(color !== undefined && { color }), ...(isBold && { isBold }) };
}
