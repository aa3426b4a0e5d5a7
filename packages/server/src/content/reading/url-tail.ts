import { badRequest } from '../../platform/http/errors.ts';

/** A revision and a path below it: one way to read the end of a URL. */
export interface Place {
  readonly revision: string;
  /** Without slashes at the ends; empty for the root. */
  readonly path: string;
}

/** More parts than this no name of a branch has. */
const MAX_REVISION_PARTS = 8;
const REF_PARTS = 3;

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest('The URL is malformed');
  }
}

/**
 * Returns the ways to read what follows the first `skipped` parts of a URL's path, the likeliest first: a revision is one
 * part with its slashes escaped, or `refs` and two more, or as many parts as the name of a ref has.
 */
export function placesIn(url: string, skipped: number): Place[] {
  const raw = url
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .split('/')
    .slice(1 + skipped);
  const parts = raw.map(decode);
  const text = parts.join('/').replace(/\/+$/, '');
  const split = text.split('/');
  const place = (count: number): Place => ({
    revision: split.slice(0, count).join('/'),
    path: split.slice(count).join('/'),
  });
  if (split[0] === 'refs' && split.length >= REF_PARTS && !parts[0]?.includes('/')) return [place(REF_PARTS)];
  const counts = Array.from({ length: Math.min(split.length, MAX_REVISION_PARTS) }, (_, at) => at + 1).reverse();
  const exact = parts[0]?.includes('/') ? [parts[0].split('/').length] : [];
  return [...new Set([...exact, ...counts])].map(place);
}
