import { type FileHandle, open } from 'node:fs/promises';
import type { Outbound } from '../platform/outbound/outbound.ts';
import type { Sink } from './sink.ts';

/** The parsed value of `MOONBASE_AUDIT_SINK`. */
export type SinkTarget = { readonly file: string } | { readonly url: string };

export const createSink = (target: SinkTarget, outbound: Outbound): Sink =>
  'file' in target ? fileSink(target.file) : httpsSink(target.url, outbound);

/**
 * Appends one event per line, and syncs. The file is opened for each batch, so that it can be rotated. A line that a
 * crash truncated is terminated first, because existing content is never changed.
 */
const fileSink =
  (path: string): Sink =>
  async (events) => {
    try {
      const file = await open(path, 'a+', 0o600);
      try {
        const cut = (await lastByte(file)) !== LINE_FEED;
        await file.appendFile(`${cut ? '\n' : ''}${events.map((event) => `${JSON.stringify(event)}\n`).join('')}`);
        await file.datasync();
      } finally {
        await file.close();
      }
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : 'The file cannot be written';
    }
  };

const LINE_FEED = 0x0a;

/** Returns the last byte of a file; a line feed for an empty file. */
async function lastByte(file: FileHandle): Promise<number | undefined> {
  const { size } = await file.stat();
  if (size === 0) return LINE_FEED;
  return (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0];
}

/** Posts batches as JSON arrays; a 2xx response means that they are stored. */
const httpsSink =
  (url: string, outbound: Outbound): Sink =>
  async (events) => {
    if (events.length === 0) return undefined;
    const result = await outbound.post({
      url,
      headers: { 'content-type': 'application/json', 'user-agent': 'Moonbase' },
      body: JSON.stringify(events),
    });
    if (result.kind === 'failed') return result.error;
    return result.status >= 200 && result.status < 300 ? undefined : `It answered ${result.status}`;
  };
