/** Standard input, output and error; what comes in other frames is no output. */
const LAST_OUTPUT = 2;
const HEADER_BYTES = 8;

/**
 * What a container wrote, from the frames that an engine sends of it: a header of 8 bytes, whose first says where it was
 * written and whose last four how long it is, and that many bytes (Docker Engine API, ContainerAttach, Stream format).
 */
export async function* outputOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const header = Buffer.alloc(HEADER_BYTES);
  let headerBytes = 0;
  let left = 0;
  for await (const chunk of stream) {
    // A frame is a line, and there may be thousands in a chunk: they leave together.
    const output = Buffer.allocUnsafe(chunk.length);
    let length = 0;
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const copied = chunk.copy(output, length, at, at + Math.min(left, chunk.length - at));
        length += copied;
        left -= copied;
        at += copied;
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
    if (length > 0) yield output.subarray(0, length);
  }
}
