/** A set of bytes, such as `[a-z]`. */
export interface CharacterSet {
  readonly isNegated: boolean;
  /** The first and the last byte of each range, one after the other. */
  readonly ranges: readonly number[];
}

const byte = (character: string): number => character.charCodeAt(0);

/** The classes that have a name, as pairs of the first and the last character of each range. */
const CLASSES = new Map(
  Object.entries({
    alnum: '09AZaz',
    alpha: 'AZaz',
    blank: '  \t\t',
    cntrl: '\0\x1f\x7f\x7f',
    digit: '09',
    graph: '!~',
    lower: 'az',
    print: ' ~',
    punct: '!/:@[`{~',
    space: '\t\r  ',
    upper: 'AZ',
    xdigit: '09AFaf',
  }),
);

/** Parses the set that begins at a position as git does; undefined if it is not closed, or names an unknown class. */
export function parseSet(
  pattern: string,
  start: number,
): { readonly set: CharacterSet; readonly end: number } | undefined {
  let at = start + 1;
  const isNegated = pattern[at] === '!' || pattern[at] === '^';
  if (isNegated) at++;
  const ranges: number[] = [];
  /** What a following hyphen would make the begin of a range. */
  let before: number | undefined;
  for (let isFirst = true; isFirst || pattern[at] !== ']'; isFirst = false) {
    const named = classAt(pattern, at);
    if (at >= pattern.length || named === 'unknown') return undefined;
    if (before !== undefined && pattern[at] === '-' && pattern[at + 1] !== ']') {
      const to = characterAt(pattern, at + 1);
      if (!to) return undefined;
      ranges.push(before, to.code);
      before = undefined;
      at = to.end;
    } else if (named) {
      ranges.push(...named.ranges);
      before = undefined;
      at = named.end;
    } else {
      const single = characterAt(pattern, at);
      if (!single) return undefined;
      ranges.push(single.code, single.code);
      before = single.code;
      at = single.end;
    }
  }
  return { set: { isNegated, ranges }, end: at + 1 };
}

/** Reads a character, which a backslash may precede. */
function characterAt(pattern: string, start: number): { readonly code: number; readonly end: number } | undefined {
  const at = pattern[start] === '\\' ? start + 1 : start;
  return at < pattern.length ? { code: pattern.charCodeAt(at), end: at + 1 } : undefined;
}

/** Reads a class such as `[:alpha:]`; undefined if there is none at the position. */
function classAt(pattern: string, start: number) {
  if (!pattern.startsWith('[:', start)) return undefined;
  const end = pattern.indexOf(']', start + 2);
  if (end < 0) return 'unknown';
  if (end < start + 3 || pattern[end - 1] !== ':') return undefined;
  const ranges = CLASSES.get(pattern.slice(start + 2, end - 1));
  return ranges === undefined ? 'unknown' : { ranges: Array.from(ranges, byte), end: end + 1 };
}

export function isInSet({ isNegated, ranges }: CharacterSet, code: number): boolean {
  for (let at = 0; at < ranges.length; at += 2)
    if (code >= (ranges[at] ?? 0) && code <= (ranges[at + 1] ?? 0)) return !isNegated;
  return isNegated;
}
