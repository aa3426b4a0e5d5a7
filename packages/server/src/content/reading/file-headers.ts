import { dispositionOf } from './disposition.ts';
import type { ResolvedPath } from './revisions.ts';

/** Returns the headers of a file, which depend on neither the caller nor the range. */
export const fileHeaders = (at: ResolvedPath, id: string, download: boolean) => ({
  'x-repo-commit': at.commit,
  etag: `"${id}"`,
  'accept-ranges': 'bytes',
  // The type must never be one that a browser would run on the hub's own origin.
  'content-type': 'text/plain; charset=utf-8',
  'content-disposition': dispositionOf(at.path, download),
  'cache-control': at.revision === at.commit ? 'private, max-age=31536000, immutable' : 'private, no-cache',
  vary: 'Authorization, Cookie',
});
