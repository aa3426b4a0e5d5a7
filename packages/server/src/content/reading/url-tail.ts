import { badRequest } from '../../platform/http/errors.ts';

/** One way to split the tail of a URL into a revision and a path. */
export interface RevisionPath {
  readonly revision: string;
  /** The path without leading or trailing slashes; empty for the root. */
  readonly path: string;
}

/** Names of branches with more parts are not recognized. */
const MAX_REVISION_PARTS = 8;
const REF_PARTS = 3;

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest('The URL is malformed');
  }
}

/** Returns the parts of a URL's path after the first `skipped`, decoded. Throws 400 if they cannot be. */
export const partsOfUrl = (url: string, skipped: number): string[] =>
  url
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .split('/')
    .slice(1 + skipped)
    .map(decode);

/**
 * Returns the ways to split a URL's path after its first `skipped` parts, the likeliest first. A revision is one part
 * with its slashes escaped, or `refs` and two more parts, or as many parts as the name of a ref can have.
 */
export function revisionPathsIn(url: string, skipped: number): RevisionPath[] {
  const parts = partsOfUrl(url, skipped);
  const text = parts.join('/').replace(/\/+$/, '');
  const split = text.split('/');
  const splitAt = (count: number): RevisionPath => ({
    revision: split.slice(0, count).join('/'),
    path: split.slice(count).join('/'),
  });
  if (split[0] === 'refs' && split.length >= REF_PARTS && !parts[0]?.includes('/')) return [splitAt(REF_PARTS)];
  const counts = Array.from({ length: Math.min(split.length, MAX_REVISION_PARTS) }, (_, at) => at + 1).reverse();
  const exact = parts[0]?.includes('/') ? [parts[0].split('/').length] : [];
  return [...new Set([...exact, ...counts])].map(splitAt);
}
