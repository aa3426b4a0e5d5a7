import type { Dispatcher } from 'undici';

/** What is kept of an answer; header names are lower-case, repeated headers joined with ", ". */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const READ_BYTES = 64 * 1024;
const KEPT_BYTES = 4 * 1024;
const KEPT_HEADERS = 64;
const KEPT_HEADER_CHARACTERS = 1024;

/** Reads at most 64 KiB of the body, as sent (a `content-encoding` is not undone), and keeps the first 4 KiB. */
export async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
  const kept: Buffer[] = [];
  let read = 0;
  // Leaving the loop early destroys the body and with it the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (read < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - read));
    read += chunk.length;
    if (read >= READ_BYTES) break;
  }
  return { status: statusCode, headers: keptHeaders(headers), body: textOf(Buffer.concat(kept), read > KEPT_BYTES) };
}

function textOf(bytes: Buffer, cut: boolean): string {
  // `stream` leaves out a character that the cut has halved.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: cut });
  return text.replaceAll('\0', '\uFFFD'); // PostgreSQL's text type refuses NUL
}

function keptHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const kept = Object.entries(headers).slice(0, KEPT_HEADERS);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, [value ?? ''].flat().join(', ').slice(0, KEPT_HEADER_CHARACTERS)]),
  );
}
