import { Answer } from './answer.ts';
import { badRequest } from './errors.ts';

/** One page of a list with the cursor of the next page. */
export interface PageOf<T> {
  readonly items: T[];
  readonly next: string | undefined;
}

/**
 * Makes a page from at most `limit + 1` rows; if there are more than `limit`, the key of the last returned row is the
 * cursor.
 */
export function pageFrom<T>(rows: readonly T[], limit: number, key: (row: T) => string): PageOf<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? encodeCursor(key(last)) : undefined };
}

/**
 * Responds with a page; the header `Link: <absolute URL>; rel="next"` repeats the query with the next cursor
 * (W§1.0-11).
 */
export function answerPage<T>(page: PageOf<T>, requestUrl: string): Answer<T[]> {
  if (page.next === undefined) return new Answer(page.items);
  const url = new URL(requestUrl);
  url.searchParams.set('cursor', page.next);
  return new Answer(page.items, { headers: { link: `<${url.href}>; rel="next"` } });
}

/** Encodes a key as a cursor for URLs. */
export const encodeCursor = (key: string): string => Buffer.from(key).toString('base64url');

/** Decodes a cursor and matches its key against `form`; throws 400 if the key does not match. */
export function keyFromCursor(cursor: string, form: RegExp): RegExpExecArray {
  const key = form.exec(Buffer.from(cursor, 'base64url').toString());
  if (!key) throw badRequest('`cursor` is not one that this hub gave; begin without it');
  return key;
}

/** Decodes a cursor whose key is an object id. */
export const idFromCursor = (cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : keyFromCursor(cursor, /^[0-9a-f]{24}$/)[0];
