import { createHash } from 'node:crypto';
import { type Answer, rawAnswer } from './answer.ts';
import { JSON_TYPE, type JsonText } from './json/text.ts';

/** Whether the header `If-None-Match` names an entity tag: a list, compared weakly, or `*` (RFC 9110, 13.1.2). */
export const isKnown = (tag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim())) ?? false;

/**
 * Answers with an entity tag of the body, or 304 without one where the caller has it already.
 * `known` is the header `If-None-Match`.
 */
export function answerUnlessKnown<T>(json: JsonText<T>, known: string | undefined): Answer<T> {
  const tag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`;
  const headers = { etag: tag, 'cache-control': 'private, no-cache' };
  if (isKnown(tag, known)) return rawAnswer(undefined, { status: 304, headers });
  return rawAnswer(json, { headers: { ...headers, 'content-type': JSON_TYPE } });
}
