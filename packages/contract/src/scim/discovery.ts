import * as z from 'zod';
import { defineRoute } from '../route.ts';
import { listResponse, scimMedia } from './shapes.ts';

const tags = ['scim'];
const Params = z.object({ name: z.string() });
const Query = z.object({
  filter: z
    .string()
    .optional()
    .meta({ description: 'Refused with 403: discovery does not support filters (RFC 7644, 4).' }),
});
const otherAnswers = { 402: 'The organization needs the Enterprise Plus plan.' };
const forWhom = 'For owners of the organization, with a token that may change the organization. Enterprise Plus plan.';
const lists = `Returns an array; with \`Accept: application/scim+json\` a ListResponse. ${forWhom}`;

const meta = z.object({ resourceType: z.string(), location: z.string() });
const supported = z.object({ supported: z.boolean() });

/** RFC 7643, 5. */
export const ServiceProviderConfig = z
  .object({
    schemas: z.array(z.string()),
    documentationUri: z.string(),
    patch: supported,
    bulk: z.object({ supported: z.boolean(), maxOperations: z.number(), maxPayloadSize: z.number() }),
    filter: z.object({ supported: z.boolean(), maxResults: z.number() }),
    changePassword: supported,
    sort: supported,
    etag: supported,
    authenticationSchemes: z.array(
      z.object({
        type: z.string(),
        name: z.string(),
        description: z.string(),
        specUri: z.string(),
        documentationUri: z.string(),
      }),
    ),
    meta,
  })
  .meta({ id: 'ScimServiceProviderConfig' });
export type ServiceProviderConfig = z.infer<typeof ServiceProviderConfig>;

/** RFC 7643, 6. */
export const ResourceType = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    name: z.string(),
    description: z.string(),
    endpoint: z.string(),
    schema: z.string(),
    meta,
  })
  .meta({ id: 'ScimResourceType' });
export type ResourceType = z.infer<typeof ResourceType>;

/** RFC 7643, 7. */
export const SchemaDefinition = z
  .object({
    schemas: z.array(z.string()),
    id: z.string().meta({ description: 'URI of the schema.' }),
    name: z.string(),
    description: z.string(),
    attributes: z.array(z.unknown()).meta({ description: 'Definitions of attributes (RFC 7643, 7).' }),
    meta,
  })
  .meta({ id: 'ScimSchema' });
export type SchemaDefinition = z.infer<typeof SchemaDefinition>;

const discovery = {
  method: 'GET',
  tags,
  authority: 'org.write',
  client: { query: { filter: null } },
  params: Params,
  query: Query,
  otherAnswers,
} as const;

/** E21. */
export const getScimServiceProviderConfig = defineRoute({
  ...discovery,
  id: 'getScimServiceProviderConfig',
  path: '/api/organizations/{name}/scim/v2/ServiceProviderConfig',
  summary: 'Get the capabilities of SCIM',
  description: forWhom,
  answers: { 200: ServiceProviderConfig },
  media: scimMedia,
});

/** E21. */
export const listScimResourceTypes = defineRoute({
  ...discovery,
  id: 'listScimResourceTypes',
  path: '/api/organizations/{name}/scim/v2/ResourceTypes',
  summary: 'List the resource types of SCIM: User and Group',
  description: lists,
  answers: { 200: z.array(ResourceType) },
  media: { ...scimMedia, answer: listResponse(ResourceType) },
});

export const getScimResourceType = defineRoute({
  ...discovery,
  id: 'getScimResourceType',
  path: '/api/organizations/{name}/scim/v2/ResourceTypes/{resourceTypeId}',
  summary: 'Get a resource type of SCIM',
  description: forWhom,
  params: Params.extend({ resourceTypeId: z.string() }),
  answers: { 200: ResourceType },
  media: scimMedia,
});

/** E21. */
export const listScimSchemas = defineRoute({
  ...discovery,
  id: 'listScimSchemas',
  path: '/api/organizations/{name}/scim/v2/Schemas',
  summary: 'List the schemas of users and groups',
  description: lists,
  answers: { 200: z.array(SchemaDefinition) },
  media: { ...scimMedia, answer: listResponse(SchemaDefinition) },
});

export const getScimSchema = defineRoute({
  ...discovery,
  id: 'getScimSchema',
  path: '/api/organizations/{name}/scim/v2/Schemas/{schemaId}',
  summary: 'Get a schema of SCIM by its URI',
  description: forWhom,
  params: Params.extend({ schemaId: z.string() }),
  answers: { 200: SchemaDefinition },
  media: scimMedia,
});

export const scimDiscoveryRoutes = [
  getScimServiceProviderConfig,
  listScimResourceTypes,
  getScimResourceType,
  listScimSchemas,
  getScimSchema,
] as const;
