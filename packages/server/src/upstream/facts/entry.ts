import { TreeItem } from '@moonbase/contract/content/reading';
import * as z from 'zod';
import { OBJECT_ID } from '../../platform/git/objects/object.ts';
import { isPath } from './forms.ts';

const Size = z.number().int().min(0);

/** A file or folder as the upstream describes it. What leads to its storage is left out: bytes come through this hub. */
export const Entry = TreeItem.omit({ xetHash: true }).extend({
  oid: z.string().regex(OBJECT_ID),
  size: Size,
  path: z.string().refine(isPath),
  lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: Size, pointerSize: Size }).optional(),
});
export type Entry = z.infer<typeof Entry>;

/** Returns the sound entries of a list of the upstream; undefined if it is no list. */
export function entriesIn(json: unknown): Entry[] | undefined {
  if (!Array.isArray(json)) return undefined;
  return json.flatMap((item) => Entry.safeParse(item).data ?? []);
}
