/** The size of the pieces in which longer lines are output, which limits the memory of unterminated lines. */
const MAX_HELD_BYTES = 16 * 1024;
const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);

/**
 * Joins the streams of a container into one output in which lines of different streams do not mix: a program may write
 * a line in several pieces, between which the engine records another stream. The result depends only on what the
 * streams wrote and in which order, not on the chunks that the engine sends, because positions in the result are
 * stored.
 */
export function createWholeLines() {
  const unfinished = new Map<number, Buffer>();

  return {
    /** Returns complete lines, and full pieces of long lines. */
    add(stream: number, bytes: Buffer): Buffer {
      const before = unfinished.get(stream) ?? NOTHING;
      const all = before.length === 0 ? bytes : Buffer.concat([before, bytes]);
      const lineStart = all.lastIndexOf(NEWLINE) + 1;
      const rest = (all.length - lineStart) % MAX_HELD_BYTES;
      // A copy, because a slice would keep the whole chunk in memory.
      unfinished.set(stream, rest === 0 ? NOTHING : Buffer.from(all.subarray(all.length - rest)));
      return all.subarray(0, all.length - rest);
    },

    /** Returns the unterminated lines of all streams; each except the last gets a line break. */
    rest(): Buffer {
      const unended = [...unfinished.values()].filter((bytes) => bytes.length > 0);
      return Buffer.concat(unended.flatMap((bytes, at) => (at === 0 ? [bytes] : [Buffer.from('\n'), bytes])));
    },
  };
}
