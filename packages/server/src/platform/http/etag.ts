import { hash } from 'node:crypto';
import type { JsonText } from '../stored-form.ts';
import { type Answer, rawAnswer } from './answer.ts';
import { JSON_TYPE } from './json/text.ts';

/**
 * Returns whether the header `If-None-Match` contains an entity tag: in a list, compared weakly, or as `*` (RFC 9110,
 * 13.1.2).
 */
export const isKnown = (tag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim())) ?? false;

/**
 * Responds with a body and its entity tag, or with 304 if the caller has the body already. `ifNoneMatch` is the header
 * of that name.
 */
export function answerWithEtag<T>(json: JsonText<T>, known: string | undefined): Answer<T> {
  const tag = `"${hash('sha256', json, 'base64url').slice(0, 27)}"`;
  const headers = { etag: tag, 'cache-control': 'private, no-cache' };
  if (isKnown(tag, known)) return rawAnswer(undefined, { status: 304, headers });
  return rawAnswer(json, { headers: { ...headers, 'content-type': JSON_TYPE } });
}
