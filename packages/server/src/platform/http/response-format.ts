import type { HubError } from './errors.ts';

/**
 * The response format of paths that use a media type of their own besides JSON and have their own form of errors.
 * Implemented by a slice.
 */
export interface ResponseFormat {
  readonly mediaType: string;
  /** Returns whether the format applies to a path (without query). */
  readonly speaks: (path: string) => boolean;
  readonly errorBody: (error: HubError) => unknown;
  /** Headers of errors in this format only. */
  readonly errorHeaders?: (error: HubError) => Readonly<Record<string, string>>;
  /**
   * Returns the body of a response with status 200 that tells the error in the protocol of the client, for clients that
   * show nothing of other responses.
   */
  readonly inProtocol?: (error: HubError, request: RefusedRequest) => InProtocol | undefined;
}

interface RefusedRequest {
  /** Without the query. */
  readonly path: string;
  readonly userAgent: string | undefined;
}

interface InProtocol {
  readonly type: string;
  readonly body: Uint8Array;
}

/**
 * Returns the media type of a response: the format's own, unless `Accept` names JSON and not the own type (RFC 9110,
 * 12.5.1).
 */
export function preferredType({ mediaType }: ResponseFormat, accept: string | undefined): string {
  return explicitlyAccepts(accept, 'application/json') && !explicitlyAccepts(accept, mediaType)
    ? 'application/json'
    : mediaType;
}

/** Returns whether the header `Accept` names a media type explicitly; wildcards do not count. */
export const explicitlyAccepts = (accept: string | undefined, mediaType: string): boolean =>
  (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === mediaType && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
