import { advance, createSkip, type LogCursor, parsePosition, parseTime, positionText } from './log-cursor.ts';

/** A point in the output: its number of bytes since the buffer began, and the cursor of the lines before it. */
interface Mark {
  readonly at: number;
  readonly cursor: LogCursor;
}

const NEWLINE = 0x0a;
const SPACE = 0x20;
/** More than the length of any timestamp. */
const MAX_TIME_LENGTH = 64;
/** The minimum number of bytes between two marks, so that a log of empty lines does not consist of marks. */
const MARK_INTERVAL_BYTES = 4096;

const same = (a: LogCursor, b: LogCursor): boolean =>
  a.newest === b.newest && a.before === b.before && a.within === b.within;

export type LogBuffer = ReturnType<typeof createLogBuffer>;

/** Buffers the output of a job after a cursor: the lines that the API sends, without timestamps. */
export function createLogBuffer(start: LogCursor) {
  let parts: Buffer[] = [];
  /** The offsets of the first kept byte and after the last one. */
  let [from, end] = [0, 0];
  let marks: Mark[] = [{ at: 0, cursor: start }];
  /** The end of the newest complete line, where most reads end. */
  let newest: Mark = { at: 0, cursor: start };

  let skip = createSkip(start);
  let prefix = '';
  /** The line being received, once its time is known. Lines that were already read, or without a time, are skipped. */
  let line: { readonly time: bigint } | 'skipped' | undefined;
  let lineBytes = 0;
  /** The number of bytes of the current line that a new connection sends again. */
  let repeated = 0;

  function keep(part: Buffer): void {
    const fresh = part.subarray(repeated);
    repeated -= part.length - fresh.length;
    lineBytes += fresh.length;
    end += fresh.length;
    if (fresh.length > 0) parts.push(fresh);
  }

  function endLine(): void {
    if (typeof line === 'object') {
      newest = { at: end, cursor: advance(newest.cursor, line.time) };
      if (end - (marks.at(-1)?.at ?? 0) >= MARK_INTERVAL_BYTES) marks.push(newest);
      [lineBytes, repeated] = [0, 0];
    }
    line = undefined;
  }

  /** Reads the timestamp of a line. Returns the number of its bytes in the chunk. */
  function takeTime(chunk: Buffer): number {
    const stop = chunk.findIndex((byte) => byte === SPACE || byte === NEWLINE);
    prefix += chunk.subarray(0, Math.min(stop < 0 ? chunk.length : stop, MAX_TIME_LENGTH)).toString('latin1');
    if (stop < 0 && prefix.length < MAX_TIME_LENGTH) return chunk.length;
    const time = parseTime(prefix);
    line = time === undefined || skip(time) ? 'skipped' : { time };
    prefix = '';
    if (stop < 0) return chunk.length;
    return chunk[stop] === SPACE ? stop + 1 : stop;
  }

  return {
    /** Returns the cursor of the complete lines received. */
    received: (): LogCursor => newest.cursor,
    size: (): number => end - from,

    /** Prepares for a new connection, which sends the lines from `received` on. */
    reconnected(): void {
      skip = createSkip(newest.cursor);
      prefix = '';
      line = undefined;
      repeated = lineBytes;
    },

    add(chunk: Buffer): void {
      for (let rest = chunk; rest.length > 0; ) {
        if (line === undefined) {
          rest = rest.subarray(takeTime(rest));
          continue;
        }
        const newline = rest.indexOf(NEWLINE);
        const part = newline < 0 ? rest : rest.subarray(0, newline + 1);
        if (line !== 'skipped') keep(part);
        if (newline >= 0) endLine();
        rest = rest.subarray(part.length);
      }
    },

    /** Appends a line of the hub itself after all output. */
    addNote(text: string): void {
      const note = Buffer.from(lineBytes > 0 ? `\n${text}\n` : `${text}\n`);
      end += note.length;
      parts.push(note);
    },

    /** Returns the bytes after a position and drops those before; undefined if the position is not in the buffer. */
    read(position: string, maxBytes: number): { bytes: Buffer; position: string } | undefined {
      const wanted = parsePosition(position);
      const found = marks.findIndex((one) => same(one.cursor, wanted.cursor));
      const begin = (marks[found]?.at ?? -1) + wanted.offset;
      if (found < 0 || begin < from) return undefined;
      // These bytes were read before the connection broke, and have not been sent again yet.
      if (begin > end) return { bytes: Buffer.alloc(0), position };
      const kept = Buffer.concat(parts).subarray(begin - from);
      marks = marks.slice(found);
      parts = [kept];
      from = begin;
      const bytes = kept.subarray(0, maxBytes);
      const reached = begin + bytes.length;
      if (newest.at <= reached && !marks.includes(newest)) marks.push(newest);
      const last = marks.findLast(({ at }) => at <= reached) ?? newest;
      return { bytes, position: positionText(last.cursor, reached - last.at) };
    },
  };
}
