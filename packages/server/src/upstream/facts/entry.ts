import { TreeItem } from '@moonbase/contract/content/reading';
import { z } from 'zod';

const GitId = z.string().regex(/^[0-9a-f]{40}$/);
const Size = z.number().int().min(0);

/** A path within a repository: no empty part, `.` or `..`, no control characters. */
const Path = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => path.split('/').every((part) => !['', '.', '..'].includes(part)) && !/\p{Cc}/u.test(path));

/** A file or folder as the upstream describes it. What leads to its storage is left out: bytes come through this hub. */
export const Entry = TreeItem.omit({ xetHash: true }).extend({
  oid: GitId,
  size: Size,
  path: Path,
  lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: Size, pointerSize: z.number() }).optional(),
});
export type Entry = z.infer<typeof Entry>;

/** Returns the sound entries of a list of the upstream; undefined if it is no list. */
export function entriesIn(json: unknown): Entry[] | undefined {
  if (!Array.isArray(json)) return undefined;
  return json.flatMap((item) => Entry.safeParse(item).data ?? []);
}
