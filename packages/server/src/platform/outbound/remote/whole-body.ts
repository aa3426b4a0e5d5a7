import { RemoteFault } from './fault.ts';

/** Returns the bytes of a body in one piece. Throws a `RemoteFault` with the given sentence if there are too many. */
export async function wholeBody(bytes: AsyncIterable<Buffer>, maxBytes: number, tooMany: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > maxBytes) throw new RemoteFault(tooMany);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
