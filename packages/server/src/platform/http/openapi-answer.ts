import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { memoize } from '../memoize.ts';
import { type Answer, rawAnswer } from './answer.ts';
import { isKnown } from './etag.ts';
import { JSON_TYPE } from './json/text.ts';
import type { openApiDocument } from './openapi.ts';

/** The number of base URLs whose documents are kept: a hub has one, and in development mode a few. */
const MAX_KEPT = 4;

/** The request: the base URL of the hub in it, and its headers by name. */
interface DocumentRequest {
  readonly caller: { readonly baseUrl: string };
  readonly header: (name: string) => string | undefined;
}

/** Returns a function that responds with the document, compressed if the client accepts it, or with 304 if it has it. */
export function answersWithDocument(makeDocument: () => ReturnType<typeof openApiDocument>) {
  let document: ReturnType<typeof openApiDocument> | undefined;
  const formsFor = memoize(MAX_KEPT, (baseUrl) => {
    document ??= makeDocument();
    const json = JSON.stringify({ ...document, servers: [{ url: baseUrl }] });
    return { compressed: gzipSync(json), tag: `"${hash('sha256', json, 'base64url').slice(0, 27)}"` };
  });
  return ({ caller: { baseUrl }, header }: DocumentRequest): Answer<never> => {
    const { compressed, tag } = formsFor(baseUrl);
    // The tag is weak because the compressed form has the same.
    const headers = { etag: `W/${tag}`, 'cache-control': 'no-cache', vary: 'Accept-Encoding' };
    if (isKnown(tag, header('if-none-match'))) return rawAnswer(undefined, { status: 304, headers });
    const asText = { ...headers, 'content-type': JSON_TYPE };
    return acceptsGzip(header('accept-encoding'))
      ? rawAnswer(compressed, { headers: { ...asText, 'content-encoding': 'gzip' } })
      : rawAnswer(gunzipSync(compressed), { headers: asText });
  };
}

/** Returns whether `Accept-Encoding` names gzip, and not with the weight 0 (RFC 9110, 12.5.3). */
const acceptsGzip = (accepted = ''): boolean =>
  accepted.split(',').some((each) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(each));
