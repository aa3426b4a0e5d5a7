import { StringDecoder } from 'node:string_decoder';

/** The stored part of a response; header names are lower-case, repeated headers joined with ", ". */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const KEPT_BYTES = 4 * 1024;
const KEPT_HEADERS = 64;
const KEPT_HEADER_CHARACTERS = 1024;

type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Returns the stored part of a response: the first 4 KiB of the body as sent, without decoding a `content-encoding`.
 */
export function answerOf(status: number, headers: ReceivedHeaders, body: readonly Buffer[]): Answer {
  return { status, headers: keptHeaders(headers), body: textOf(body) };
}

function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  if (only === undefined) return '';
  const bytes = chunks.length === 1 ? only : Buffer.concat(chunks);
  // The decoder drops a character that the cut has halved.
  const text =
    bytes.length > KEPT_BYTES ? new StringDecoder('utf8').write(bytes.subarray(0, KEPT_BYTES)) : bytes.toString('utf8');
  return text.replaceAll('\0', '\uFFFD'); // PostgreSQL's text type refuses NUL
}

function keptHeaders(headers: ReceivedHeaders): Record<string, string> {
  const kept = Object.entries(headers).slice(0, KEPT_HEADERS);
  return Object.fromEntries(
    kept.map(([name, value = '']) => [
      name,
      (typeof value === 'string' ? value : value.join(', ')).slice(0, KEPT_HEADER_CHARACTERS),
    ]),
  );
}
