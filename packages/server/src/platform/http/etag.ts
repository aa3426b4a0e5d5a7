import { createHash } from 'node:crypto';
import { Answer } from './answer.ts';

/**
 * Answers with an entity tag of the body, or 304 without one where the caller has it already (RFC 9110, 13.1.2).
 * `known` is the header `If-None-Match`.
 */
export function answerUnlessKnown<T>(body: T, known: string | undefined): Answer<T> {
  const json = JSON.stringify(body);
  const tag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`;
  const headers = { etag: tag, 'cache-control': 'private, no-cache' };
  const isKnown = known?.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim()));
  return isKnown ? new Answer<T>(undefined as never, { status: 304, headers }) : new Answer(body, { headers, json });
}
