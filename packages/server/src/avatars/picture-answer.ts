import { type Answer, rawAnswer } from '../platform/http/answer.ts';
import { isKnown } from '../platform/http/etag.ts';
import { EMBEDDABLE } from '../platform/http/server/security-headers.ts';

interface Picture {
  readonly type: string;
  readonly extension: string;
  readonly body: string | Buffer;
  /** The hash of the content. */
  readonly hash: string;
}

/** Responds with an immutable picture that cannot execute code, however it is opened; 304 if the client has it. */
export function pictureAnswer(
  { type, extension, body, hash }: Picture,
  ifNoneMatch: string | undefined,
): Answer<never> {
  const etag = `"${hash}"`;
  const caching = { ...EMBEDDABLE, etag, 'cache-control': 'public, max-age=31536000, immutable' };
  if (isKnown(etag, ifNoneMatch)) return rawAnswer(undefined, { status: 304, headers: caching });
  return rawAnswer(body, {
    headers: {
      ...caching,
      'content-type': type,
      'content-disposition': `inline; filename="avatar.${extension}"`,
      'content-security-policy': "sandbox; default-src 'none'",
    },
  });
}
