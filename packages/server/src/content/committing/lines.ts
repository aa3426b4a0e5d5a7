import { badRequest, HubError } from '../../platform/http/errors.ts';

const NEWLINE = 0x0a;

export interface LineLimits {
  readonly maxLineBytes: number;
  readonly maxBytes: number;
}

/** Returns the lines of a body as they come, empty ones left out; the last one needs no newline. */
export async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  { maxLineBytes, maxBytes }: LineLimits,
): AsyncGenerator<string, void> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  let bytes = 0;
  const hold = (piece: Uint8Array) => {
    begun.push(piece);
    begunBytes += piece.length;
    if (begunBytes > maxLineBytes) throw new HubError(413, `A line of the body is larger than ${maxLineBytes} bytes`);
  };
  const take = (): string => {
    const line = textOf(Buffer.concat(begun));
    begun = [];
    begunBytes = 0;
    return line;
  };
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new HubError(413, `The body is larger than ${maxBytes} bytes: make several commits of it`);
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, at));
      from = at + 1;
      const line = take();
      if (line.trim() !== '') yield line;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
  }
  const last = take();
  if (last.trim() !== '') yield last;
}

/** Returns bytes as text. Throws 400 where they are not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body must be UTF-8');
  }
}
