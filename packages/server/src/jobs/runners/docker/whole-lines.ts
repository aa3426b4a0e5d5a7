/** Longer lines come out in pieces of so many bytes, so that a line without an end needs no more memory. */
const MAX_HELD_BYTES = 16 * 1024;
const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);

/**
 * Joins the streams of a container into one output in which no line of one stream is broken by another: a program may
 * write a line in several pieces, and the engine records what another stream writes in between. The result depends only on
 * what the streams wrote and in which order, not on the pieces in which the engine sends it: positions in it are stored.
 */
export function createWholeLines() {
  const held = new Map<number, Buffer>();

  return {
    /** Returns what comes out: lines with their ends, and full pieces of long lines. */
    add(stream: number, bytes: Buffer): Buffer {
      const before = held.get(stream) ?? NOTHING;
      const all = before.length === 0 ? bytes : Buffer.concat([before, bytes]);
      const lineStart = all.lastIndexOf(NEWLINE) + 1;
      const rest = (all.length - lineStart) % MAX_HELD_BYTES;
      // A copy: the bytes of a whole chunk would stay in memory with the end of it.
      held.set(stream, rest === 0 ? NOTHING : Buffer.from(all.subarray(all.length - rest)));
      return all.subarray(0, all.length - rest);
    },

    /** Returns the lines that no stream has ended, each but the last with an end. */
    rest(): Buffer {
      const unended = [...held.values()].filter((bytes) => bytes.length > 0);
      return Buffer.concat(unended.flatMap((bytes, at) => (at === 0 ? [bytes] : [Buffer.from('\n'), bytes])));
    },
  };
}
