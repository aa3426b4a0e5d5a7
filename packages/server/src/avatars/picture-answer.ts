import { type Answer, rawAnswer } from '../platform/http/answer.ts';
import { isKnown } from '../platform/http/etag.ts';
import { EMBEDDABLE } from '../platform/http/server/security-headers.ts';

interface Picture {
  readonly type: string;
  readonly extension: string;
  readonly body: string | Buffer;
  /** Of what it holds. */
  readonly hash: string;
}

/** A picture that never changes at its address and runs nothing, however it is opened; 304 where the asker has it. */
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
