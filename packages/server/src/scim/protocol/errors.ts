import { HubError } from '../../platform/http/errors.ts';

/** The error types that a client can act upon (RFC 7644, 3.12, table 9). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive';

/**
 * Creates an error with a `scimType`; the response format renders it, like every other error below these paths, as in
 * RFC 7644.
 */
export const scimError = (status: number, detail: string, scimType?: ScimType): HubError =>
  new HubError(status, detail, scimType ? { fields: { scimType } } : {});
