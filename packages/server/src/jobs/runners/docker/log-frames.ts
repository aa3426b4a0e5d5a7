import { createWholeLines } from './whole-lines.ts';

/** The last of the streams 0 to 2: standard input, output and error. Other frames contain no output. */
const LAST_OUTPUT = 2;
const HEADER_BYTES = 8;

/**
 * Yields the output of a container from the frames that an engine sends. A frame has a header of 8 bytes, the first
 * being the stream and the last four the length, followed by the content (Docker Engine API, ContainerAttach, Stream
 * format). Unterminated last lines are yielded only with `complete`, which says that no further frames will follow.
 */
export async function* outputOf(stream: AsyncIterable<Buffer>, complete: boolean): AsyncGenerator<Buffer> {
  const lines = createWholeLines();
  const header = Buffer.alloc(HEADER_BYTES);
  let headerBytes = 0;
  let left = 0;
  for await (const chunk of stream) {
    // A chunk may have thousands of frames, one per line; their bytes are yielded together.
    const output: Buffer[] = [];
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const bytes = chunk.subarray(at, at + left);
        output.push(lines.add(header[0] ?? 0, bytes));
        left -= bytes.length;
        at += bytes.length;
        continue;
      }
      const copied = chunk.copy(header, headerBytes, at, at + HEADER_BYTES - headerBytes);
      headerBytes += copied;
      at += copied;
      if (headerBytes < HEADER_BYTES) break;
      if ((header[0] ?? 0) > LAST_OUTPUT) throw new Error('The engine could not read the log to its end');
      headerBytes = 0;
      left = header.readUInt32BE(4);
    }
    const joined = Buffer.concat(output);
    if (joined.length > 0) yield joined;
  }
  const rest = lines.rest();
  if (complete && rest.length > 0) yield rest;
}
