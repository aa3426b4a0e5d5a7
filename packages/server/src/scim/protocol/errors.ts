import { HubError } from '../../platform/http/errors.ts';

/** What a client can act upon (RFC 7644, 3.12, table 9). */
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

/** An error with a `scimType`; the HTTP side gives it, and every other error below these paths, the form of RFC 7644. */
export const scimError = (status: number, detail: string, scimType?: ScimType): HubError =>
  new HubError(status, detail, scimType ? { fields: { scimType } } : {});
