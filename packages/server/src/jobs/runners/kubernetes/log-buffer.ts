import { behind, createSkip, type LogCursor, parsePosition, parseTime, positionText } from './log-cursor.ts';

/** A place in the output, in bytes since the buffer began, and the lines before it. */
interface Mark {
  readonly at: number;
  readonly cursor: LogCursor;
}

const NEWLINE = 0x0a;
const SPACE = 0x20;
/** Longer than any time. */
const MAX_OF_A_TIME = 64;
/** Bytes between two marks: a log of empty lines must not become a list of marks. */
const APART = 4096;

const same = (a: LogCursor, b: LogCursor): boolean =>
  a.newest === b.newest && a.before === b.before && a.within === b.within;

export type LogBuffer = ReturnType<typeof createLogBuffer>;

/** The output of a job after some line: what the API sends of it, without the times. */
export function createLogBuffer(start: LogCursor) {
  let parts: Buffer[] = [];
  /** Of the first byte that is kept, and behind the last. */
  let [from, end] = [0, 0];
  let marks: Mark[] = [{ at: 0, cursor: start }];
  /** The end of the newest whole line: where a reader mostly stands. */
  let newest: Mark = { at: 0, cursor: start };

  let skip = createSkip(start);
  let prefix = '';
  /** The line that is being received, once its time is known. Each line of output has one; others are not output. */
  let line: { readonly time: bigint } | 'left out' | undefined;
  let lineBytes = 0;
  /** Bytes of a line that were received before the connection broke, and are received again. */
  let again = 0;

  function keep(part: Buffer): void {
    const fresh = part.subarray(again);
    again -= part.length - fresh.length;
    lineBytes += fresh.length;
    end += fresh.length;
    if (fresh.length > 0) parts.push(fresh);
  }

  function endLine(): void {
    if (typeof line === 'object') {
      newest = { at: end, cursor: behind(newest.cursor, line.time) };
      if (end - (marks.at(-1)?.at ?? 0) >= APART) marks.push(newest);
      [lineBytes, again] = [0, 0];
    }
    line = undefined;
  }

  /** Takes the time from the beginning of a line; returns how many bytes that were. */
  function takeTime(chunk: Buffer): number {
    const stop = chunk.findIndex((byte) => byte === SPACE || byte === NEWLINE);
    prefix += chunk.subarray(0, Math.min(stop < 0 ? chunk.length : stop, MAX_OF_A_TIME)).toString('latin1');
    if (stop < 0 && prefix.length < MAX_OF_A_TIME) return chunk.length;
    const time = parseTime(prefix);
    line = time === undefined || skip(time) ? 'left out' : { time };
    prefix = '';
    if (stop < 0) return chunk.length;
    return chunk[stop] === SPACE ? stop + 1 : stop;
  }

  return {
    /** The lines that were received whole. */
    received: (): LogCursor => newest.cursor,
    size: (): number => end - from,

    /** What is added from now on is what the API answers from `received` on. */
    reconnected(): void {
      skip = createSkip(newest.cursor);
      prefix = '';
      line = undefined;
      again = lineBytes;
    },

    add(chunk: Buffer): void {
      for (let rest = chunk; rest.length > 0; ) {
        if (line === undefined) {
          rest = rest.subarray(takeTime(rest));
          continue;
        }
        const newline = rest.indexOf(NEWLINE);
        const part = newline < 0 ? rest : rest.subarray(0, newline + 1);
        if (line !== 'left out') keep(part);
        if (newline >= 0) endLine();
        rest = rest.subarray(part.length);
      }
    },

    /** A line of the hub's, behind all output. */
    say(text: string): void {
      const said = Buffer.from(lineBytes > 0 ? `\n${text}\n` : `${text}\n`);
      end += said.length;
      parts.push(said);
    },

    /** What comes after a position, or undefined where it is not here. What comes before is let go. */
    read(position: string, most: number): { bytes: Buffer; position: string } | undefined {
      const wanted = parsePosition(position);
      const found = marks.findIndex((one) => same(one.cursor, wanted.cursor));
      const begin = (marks[found]?.at ?? -1) + wanted.offset;
      if (found < 0 || begin < from) return undefined;
      // It was read before the connection broke, and is not received again yet.
      if (begin > end) return { bytes: Buffer.alloc(0), position };
      const kept = Buffer.concat(parts).subarray(begin - from);
      marks = marks.slice(found);
      parts = [kept];
      from = begin;
      const bytes = kept.subarray(0, most);
      const stand = begin + bytes.length;
      if (newest.at <= stand && !marks.includes(newest)) marks.push(newest);
      const last = marks.findLast(({ at }) => at <= stand) ?? newest;
      return { bytes, position: positionText(last.cursor, stand - last.at) };
    },
  };
}
