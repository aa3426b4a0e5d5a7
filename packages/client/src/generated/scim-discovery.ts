// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as discovery from '@moonbase/contract/scim/discovery';
import type { SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type ScimServiceProviderConfig = SuccessAnswer<typeof discovery.getScimServiceProviderConfig>;

export type ScimResourceType = SuccessAnswer<typeof discovery.listScimResourceTypes>[number];

export type ScimSchema = SuccessAnswer<typeof discovery.listScimSchemas>[number];

/**
 * Get the capabilities of SCIM. For owners of the organization, with a token that may change the organization.
 * Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function getScimServiceProviderConfig(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof discovery.getScimServiceProviderConfig>> {
  return call<typeof discovery.getScimServiceProviderConfig>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/ServiceProviderConfig',
    params: { name: params.name },
  });
}

/**
 * List the resource types of SCIM: User and Group. Returns an array; with `Accept: application/scim+json` a
 * ListResponse. For owners of the organization, with a token that may change the organization. Enterprise Plus
 * plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function listScimResourceTypes(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof discovery.listScimResourceTypes>> {
  return call<typeof discovery.listScimResourceTypes>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/ResourceTypes',
    params: { name: params.name },
  });
}

/**
 * Get a resource type of SCIM. For owners of the organization, with a token that may change the organization.
 * Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function getScimResourceType(
  params: Hub & {
    readonly name: string;
    readonly resourceTypeId: string;
  },
): Promise<SuccessAnswer<typeof discovery.getScimResourceType>> {
  return call<typeof discovery.getScimResourceType>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/ResourceTypes/{resourceTypeId}',
    params: { name: params.name, resourceTypeId: params.resourceTypeId },
  });
}

/**
 * List the schemas of users and groups. Returns an array; with `Accept: application/scim+json` a ListResponse. For
 * owners of the organization, with a token that may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function listScimSchemas(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof discovery.listScimSchemas>> {
  return call<typeof discovery.listScimSchemas>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/Schemas',
    params: { name: params.name },
  });
}

/**
 * Get a schema of SCIM by its URI. For owners of the organization, with a token that may change the organization.
 * Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function getScimSchema(
  params: Hub & {
    readonly name: string;
    readonly schemaId: string;
  },
): Promise<SuccessAnswer<typeof discovery.getScimSchema>> {
  return call<typeof discovery.getScimSchema>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/Schemas/{schemaId}',
    params: { name: params.name, schemaId: params.schemaId },
  });
}
