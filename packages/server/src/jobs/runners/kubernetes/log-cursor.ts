const SECOND = 1_000_000_000n;

/**
 * The lines of a log that were read. The API can omit the lines before a given second and sends the time of each line,
 * so a cursor counts the lines of the newest second and of the one before: standard output and error may arrive
 * slightly out of order.
 */
export interface LogCursor {
  /** The time of the newest line, in nanoseconds since 1970; undefined before the first line. */
  readonly newest: bigint | undefined;
  /** The number of lines read of the second before the newest. */
  readonly before: number;
  /** The number of lines read of the newest second. */
  readonly within: number;
}

export const BEGINNING: LogCursor = { newest: undefined, before: 0, within: 0 };

/** Returns the cursor after one more line. */
export function advance({ newest, before, within }: LogCursor, time: bigint): LogCursor {
  if (newest === undefined) return { newest: time, before: 0, within: 1 };
  const ahead = time / SECOND - newest / SECOND;
  if (ahead > 1n) return { newest: time, before: 0, within: 1 };
  if (ahead === 1n) return { newest: time, before: within, within: 1 };
  if (ahead === 0n) return { newest: time > newest ? time : newest, before, within: within + 1 };
  return ahead === -1n ? { newest, before: before + 1, within } : { newest, before, within };
}

/** Returns the second from which to request lines, as the parameter `sinceTime`; undefined for all lines. */
export function sinceTime({ newest }: LogCursor): string | undefined {
  if (newest === undefined) return undefined;
  return new Date(Number((newest / SECOND - 1n) * 1000n)).toISOString().replace('.000Z', 'Z');
}

/**
 * Returns a function that takes the times of lines from `sinceTime` on, and returns whether each line was already read.
 */
export function createSkip({ newest, before, within }: LogCursor): (time: bigint) => boolean {
  let left = before + within;
  return (time) => {
    if (newest === undefined) return false;
    if (time / SECOND < newest / SECOND - 1n) return true;
    // A newer line before all read ones have passed shows that the cluster has dropped some of them.
    if (left === 0 || time > newest) {
      left = 0;
      return false;
    }
    left -= 1;
    return true;
  };
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** Parses the time at the beginning of a line (RFC 3339), to nanoseconds since 1970. */
export function parseTime(text: string): bigint | undefined {
  const [, seconds, fraction = '', zone] = TIME.exec(text) ?? [];
  const milliseconds = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(milliseconds) ? undefined : BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** Writes a position in a log: a cursor, and the number of bytes read of the next line. */
export function positionText({ newest, before, within }: LogCursor, offset: number): string {
  return newest === undefined ? `0/${offset}` : `${newest}-${before}-${within}/${offset}`;
}

const POSITION = /^(?:0|(\d{1,20})-(\d{1,15})-(\d{1,15}))\/(\d{1,15})$/;

/** Parses a position; the empty text is the beginning. */
export function parsePosition(position: string): { readonly cursor: LogCursor; readonly offset: number } {
  const [, newest, before, within, offset] = POSITION.exec(position === '' ? '0/0' : position) ?? [];
  if (offset === undefined) throw new Error(`No position of a log: ${position}`);
  if (newest === undefined) return { cursor: BEGINNING, offset: Number(offset) };
  return {
    cursor: { newest: BigInt(newest), before: Number(before), within: Number(within) },
    offset: Number(offset),
  };
}
