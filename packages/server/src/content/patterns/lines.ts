import type { ByteText } from '../../platform/git/objects/byte-text.ts';

/** Longer lines are ignored, as git ignores those of `.gitattributes`. */
const MAX_LINE = 2_048;

/** Returns the lines of a file of patterns, without the mark that some editors begin a file with. */
export const linesOf = (text: ByteText): ByteText[] =>
  text
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter(({ length }) => length > 0 && length < MAX_LINE);
