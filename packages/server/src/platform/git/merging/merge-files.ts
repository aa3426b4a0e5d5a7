import type { Pause } from '../../cooperative.ts';
import { isBinary } from '../lines/binary.ts';
import { mergeLines } from '../lines/merge-lines.ts';
import type { MergeObjects } from './merge-objects.ts';

/** Three versions of a file; the base is undefined if both sides added the file. */
export interface Versions<T> {
  readonly base: T | undefined;
  readonly ours: T;
  readonly theirs: T;
}

export interface MergedFile {
  readonly id: string;
  readonly hasConflicts: boolean;
}

interface Parts {
  readonly objects: MergeObjects;
  /** Returns whether a file must come whole from one side. */
  readonly isOpaque: (body: Buffer) => boolean;
  readonly pause: Pause;
}

const NOTHING = Buffer.alloc(0);

/** Merges the content of a file. If both sides changed a file that is not text, the base stands in for the conflict. */
export async function mergeFiles(
  { objects, isOpaque, pause }: Parts,
  { base, ours, theirs }: Versions<string>,
): Promise<MergedFile> {
  if (ours === theirs || theirs === base) return { id: ours, hasConflicts: false };
  if (ours === base) return { id: theirs, hasConflicts: false };
  const bodies: Buffer[] = [];
  for (const id of [base, ours, theirs]) {
    const body = id === undefined ? NOTHING : await objects.readFile(id);
    if (!body || isBinary(body) || isOpaque(body))
      return { id: base ?? (await objects.add({ type: 'blob', body: NOTHING })), hasConflicts: true };
    bodies.push(body);
  }
  const [from = NOTHING, left = NOTHING, right = NOTHING] = bodies;
  const { text, hasConflicts } = await mergeLines({ base: from, ours: left, theirs: right }, pause);
  return { id: await objects.add({ type: 'blob', body: text }), hasConflicts };
}
