/** A place in a file: line and column from 1 on. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A place in a source, which is given by its index in the list of a map. */
export interface Origin extends Place {
  readonly source: number;
}

/** A source map (ECMA-426), as far as it is read here. */
export interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NO_DIGIT = 255;
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = DIGITS.indexOf(String.fromCharCode(code));
  return value < 0 ? NO_DIGIT : value;
});

/** The numbers of a segment: columns, and if it has an origin, sources, lines and columns there; all as differences. */
type Segment = [columns: number, sources: number, lines: number, originColumns: number, name: number];

/**
 * Reads the segment at a position. Its numbers are in base 64, five bits a digit, the lowest ones first; the lowest of all is
 * the sign. Returns how many they are, and the position after it in `end`.
 */
function readSegment(mappings: string, into: { segment: Segment; end: number }): number {
  let [count, number, shift] = [0, 0, 0];
  let at = into.end;
  for (; at < mappings.length; at++) {
    const digit = VALUES[mappings.charCodeAt(at)] ?? NO_DIGIT;
    if (digit === NO_DIGIT) break;
    number |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    into.segment[count++] = number & 1 ? -(number >>> 1) : number >>> 1;
    number = 0;
    shift = 0;
  }
  into.end = at;
  return count;
}

const isBefore = (place: Place, line: number, column: number): boolean =>
  place.line < line || (place.line === line && place.column < column);

/**
 * Returns places in a built file with their origins in the sources. Reads the mappings once, and makes nothing of them: they
 * are half a million segments.
 */
export function locate(places: readonly Place[], mappings: string): (readonly [Place, Origin | undefined])[] {
  const waiting = places.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const located: (readonly [Place, Origin | undefined])[] = [];
  const reading: { segment: Segment; end: number } = { segment: [0, 0, 0, 0, 0], end: 0 };
  let [line, column] = [1, 1];
  let [source, originLine, originColumn] = [0, 1, 1];
  /** The line of the last segment, if that has an origin. */
  let lineOfLast = 0;
  const settle = (place: Place) =>
    located.push([place, lineOfLast === place.line ? { source, line: originLine, column: originColumn } : undefined]);

  for (; reading.end < mappings.length && located.length < waiting.length; reading.end++) {
    const count = readSegment(mappings, reading);
    const { segment } = reading;
    if (count > 0) {
      column += segment[0];
      for (let place = waiting[located.length]; place && isBefore(place, line, column); place = waiting[located.length])
        settle(place);
      lineOfLast = count > 1 ? line : 0;
    }
    if (count > 1) {
      source += segment[1];
      originLine += segment[2];
      originColumn += segment[3];
    }
    if (mappings[reading.end] !== ';') continue;
    line++;
    column = 1;
  }
  for (const place of waiting.slice(located.length)) settle(place);
  return located;
}
