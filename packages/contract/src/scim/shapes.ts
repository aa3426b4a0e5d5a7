import * as z from 'zod';

export const SCIM_MEDIA_TYPE = 'application/scim+json';
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** `schemas` of a resource or message that has one. */
export const schemas = <const Urn extends string>(urn: Urn) => z.array(z.literal(urn)).length(1);

/** Every response below these paths with a status of 400 and above (RFC 7644, 3.12). */
export const ScimError = z
  .object({
    schemas: schemas(SCIM_ERROR),
    status: z.string().meta({ description: 'The HTTP status, as a string.' }),
    scimType: z.string().optional().meta({ description: 'The kind of error for clients, such as uniqueness.' }),
    detail: z.string(),
  })
  .meta({ id: 'ScimError' });
export type ScimError = z.infer<typeof ScimError>;

/** The media type that every SCIM route supports beside JSON. */
export const scimMedia = { type: SCIM_MEDIA_TYPE, error: ScimError };

const meta = <const Type extends string>(resourceType: Type) =>
  z
    .object({ resourceType: z.literal(resourceType), location: z.string() })
    .meta({ description: 'Also `created`, `lastModified` and `version`, which the header ETag repeats.' });

/** A user (W§6.8). */
export const ScimUser = z
  .object({
    schemas: schemas(USER_SCHEMA),
    id: z.string(),
    externalId: z.string().nullable().meta({ description: 'Identifier at the identity provider.' }),
    userName: z.string(),
    displayName: z.string(),
    name: z.object({ givenName: z.string(), familyName: z.string(), formatted: z.string() }),
    emails: z.array(z.object({ value: z.string(), primary: z.boolean(), type: z.literal('work').optional() })),
    active: z.boolean().meta({ description: 'Whether the user is currently a member of the organization.' }),
    meta: meta('User'),
  })
  .meta({ id: 'ScimUser' });
export type ScimUser = z.infer<typeof ScimUser>;

/** A group (W§6.8); `members` is absent if excluded. */
export const ScimGroup = z
  .object({
    schemas: schemas(GROUP_SCHEMA),
    id: z.string(),
    displayName: z.string(),
    members: z.array(z.object({ value: z.string().meta({ description: 'Id of a user.' }) })).optional(),
    externalId: z.string().nullable().optional(),
    meta: meta('Group'),
  })
  .meta({ id: 'ScimGroup' });
export type ScimGroup = z.infer<typeof ScimGroup>;

/** RFC 7644, 3.4.2. */
export const listResponse = <T extends z.ZodType>(resource: T) =>
  z.object({
    schemas: schemas(LIST_RESPONSE),
    totalResults: z.int(),
    itemsPerPage: z.int(),
    startIndex: z.int(),
    Resources: z.array(resource),
  });

const name = z.object({
  givenName: z.string().optional(),
  familyName: z.string().optional(),
  formatted: z.string().optional(),
});

export interface ListResponse<T> {
  readonly schemas: (typeof LIST_RESPONSE)[];
  readonly totalResults: number;
  readonly itemsPerPage: number;
  readonly startIndex: number;
  readonly Resources: T[];
}

const SHORT = { description: 'At most 255 characters.' };

/** A user in requests. The service accepts more forms than the document shows (docs/scim.md). */
export const ScimUserInput = z
  .object({
    schemas: z.array(z.string()).optional(),
    userName: z.string().meta(SHORT),
    externalId: z.string().optional().meta(SHORT),
    name: name.optional(),
    displayName: z.string().optional(),
    emails: z
      .array(z.object({ value: z.string() }))
      .optional()
      .meta({ description: 'The hub stores one of them.' }),
    active: z.boolean().default(true),
  })
  .meta({ id: 'ScimUserInput' });

/** A group in requests. */
export const ScimGroupInput = z
  .object({
    schemas: z.array(z.string()).optional(),
    displayName: z.string().meta(SHORT),
    externalId: z.string().optional().meta(SHORT),
    members: z
      .array(z.object({ value: z.string() }))
      .optional()
      .meta({ description: 'Ids of users.' }),
  })
  .meta({ id: 'ScimGroupInput' });

/** RFC 7644, 3.5.2. */
export const ScimPatch = z
  .object({
    schemas: z.array(z.literal(PATCH_OP)).optional(),
    Operations: z.array(
      z.object({
        op: z.string().meta({ description: 'add, replace or remove, ignoring case.' }),
        path: z.string().optional().meta({ description: 'Such as `active` or `emails[type eq "work"].value`.' }),
        value: z.unknown().optional(),
      }),
    ),
  })
  .meta({ id: 'ScimPatch' });
