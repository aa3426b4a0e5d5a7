import { Answer } from './answer.ts';
import { badRequest } from './errors.ts';

/** One page of a list and where the next one begins. */
export interface PageOf<T> {
  readonly items: T[];
  readonly next: string | undefined;
}

/** From one row more than fit on a page: the page, and the key of its last row as cursor when there is more. */
export function pageFrom<T>(rows: T[], limit: number, key: (row: T) => string): PageOf<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? encodeCursor(key(last)) : undefined };
}

/** Answers a page; the next one by `Link: <absolute URL>; rel="next"` that repeats the query (W§1.0-11). */
export function answerPage<T>(page: PageOf<T>, requestUrl: string): Answer<T[]> {
  if (page.next === undefined) return new Answer(page.items);
  const url = new URL(requestUrl);
  url.searchParams.set('cursor', page.next);
  return new Answer(page.items, { headers: { link: `<${url.href}>; rel="next"` } });
}

/** A cursor as it stands in a link. */
export const encodeCursor = (key: string): string => Buffer.from(key).toString('base64url');

/** The key in a cursor, matched by its form; 400 for what is no cursor of that list. */
export function keyFromCursor(cursor: string, form: RegExp): RegExpExecArray {
  const key = form.exec(Buffer.from(cursor, 'base64url').toString());
  if (!key) throw badRequest('`cursor` is not one that this hub gave; begin without it');
  return key;
}

/** The key in a cursor that is an object id. */
export const idFromCursor = (cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : keyFromCursor(cursor, /^[0-9a-f]{24}$/)[0];
