import { RepoType } from '@moonbase/contract/primitives';
import * as z from 'zod';
import { createPause } from '../platform/cooperative.ts';
import { HubError } from '../platform/http/errors.ts';
import { linesOf, valueIn } from '../platform/http/input/body-lines.ts';

const MAX_LINES = 10_000;
const LIMITS = { maxLineBytes: 64 * 1024, maxBytes: 16 * 1024 * 1024 };

/** The first and the last millisecond that four digits of a year can say. */
const MIN_TIME = Date.parse('0001-01-01T00:00:00Z');
const MAX_TIME = Date.UTC(10_000, 0, 1) - 1;

const XetHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a hash: 64 lower-case hexadecimal characters');
const Time = z
  .number()
  .min(MIN_TIME)
  .max(MAX_TIME)
  .transform((time) => Math.floor(time));
const ContentType = z.string().regex(/^[\x20-\x7e]{1,255}$/, 'must be a media type');

const Line = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('addFile'),
    path: z.string(),
    xetHash: XetHash,
    mtime: Time.nullish(),
    contentType: ContentType.nullish(),
  }),
  z.object({
    type: z.literal('copyFile'),
    path: z.string(),
    xetHash: XetHash,
    mtime: Time.nullish(),
    contentType: ContentType.nullish(),
    sourceRepoType: RepoType,
    sourceRepoId: z.string().max(300),
  }),
  z.object({ type: z.literal('deleteFile'), path: z.string() }),
]);
export type BatchLine = z.output<typeof Line>;
export type CopyLine = Extract<BatchLine, { type: 'copyFile' }>;

/** Reads the lines of a batch. Throws 400 for a line that is none of the three kinds, 413 for too many. */
export async function readLines(body: AsyncIterable<Uint8Array>): Promise<BatchLine[]> {
  const pause = createPause();
  const lines: BatchLine[] = [];
  for await (const text of linesOf(body, LIMITS)) {
    if (lines.length === MAX_LINES) throw new HubError(413, `A batch can have at most ${MAX_LINES} lines`);
    lines.push(valueIn(Line, text, `Line ${lines.length + 1} of the body`));
    const waiting = pause();
    if (waiting) await waiting;
  }
  return lines;
}
