import type { HubError } from './errors.ts';

/** Paths that speak a media type of their own beside JSON, and have errors of another form. Implemented by a slice. */
export interface ResponseFormat {
  readonly mediaType: string;
  /** Whether a path, without its query, is one of them. */
  readonly speaks: (path: string) => boolean;
  readonly errorBody: (error: HubError) => unknown;
}

/** What is answered unless a caller asks for JSON and not for this media type (RFC 9110, 12.5.1). */
export function preferredType({ mediaType }: ResponseFormat, accept: string | undefined): string {
  return asksFor(accept, 'application/json') && !asksFor(accept, mediaType) ? 'application/json' : mediaType;
}

/** Whether the header `Accept` names a media type, and not only by `*`. */
export const asksFor = (accept: string | undefined, mediaType: string): boolean =>
  (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === mediaType && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
