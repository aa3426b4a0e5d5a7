import type { z } from 'zod';
import { badRequest, HubError } from '../errors.ts';

const NEWLINE = 0x0a;

export interface LineLimits {
  readonly maxLineBytes: number;
  readonly maxBytes: number;
}

/** Yields the lines of a streamed body without the empty ones; the last line needs no newline. */
export async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  { maxLineBytes, maxBytes }: LineLimits,
): AsyncGenerator<string, void> {
  let pieces: Uint8Array[] = [];
  let lineBytes = 0;
  let bytes = 0;
  const append = (piece: Uint8Array) => {
    pieces.push(piece);
    lineBytes += piece.length;
    if (lineBytes > maxLineBytes) throw new HubError(413, `A line of the body is larger than ${maxLineBytes} bytes`);
  };
  const takeLine = (): string => {
    const line = textOf(Buffer.concat(pieces));
    pieces = [];
    lineBytes = 0;
    return line;
  };
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new HubError(413, `The body is larger than ${maxBytes} bytes: send it in several parts`);
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      append(chunk.subarray(from, at));
      from = at + 1;
      const line = takeLine();
      if (line.trim() !== '') yield line;
    }
    if (from < chunk.length) append(chunk.subarray(from));
  }
  const last = takeLine();
  if (last.trim() !== '') yield last;
}

/** Decodes bytes as UTF-8. Throws 400 if they are not valid. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body must be UTF-8');
  }
}

/** Parses a JSON text by its schema. Throws 400 that begins with `where` if it is not valid. */
export function valueIn<T>(schema: z.ZodType<T>, text: string, where: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest(`${where} is not valid JSON`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw badRequest(`${where}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`);
}
