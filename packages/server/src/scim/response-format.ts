import { SCIM_ERROR, SCIM_MEDIA_TYPE, type ScimError } from '@moonbase/contract/scim/shapes';
import type { HubError } from '../platform/http/errors.ts';
import type { ResponseFormat } from '../platform/http/response-format.ts';

const PATHS = /^\/api\/organizations\/[^/]+\/scim(-provisioning)?(\/|$)/i;

/**
 * The response format of the paths below `/scim/` and `/scim-provisioning/`, for errors of any slice (RFC 7644, 3.1 and
 * 3.12).
 */
export const scimResponseFormat: ResponseFormat = {
  mediaType: SCIM_MEDIA_TYPE,
  speaks: (path) => PATHS.test(path),
  errorBody: (error): ScimError => {
    const scimType = scimTypeOf(error);
    return {
      schemas: [SCIM_ERROR],
      status: String(error.status),
      ...(scimType && { scimType }),
      detail: error.message,
    };
  },
};

/** Returns the `scimType` of an error; errors of other slices only tell whether a value was invalid. */
function scimTypeOf({ status, extra: { fields, issues } }: HubError): string | undefined {
  if (typeof fields?.scimType === 'string') return fields.scimType;
  if (status !== 400) return undefined;
  return issues ? 'invalidValue' : 'invalidSyntax';
}
