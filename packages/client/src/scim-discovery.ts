import type * as routes from '@moonbase/contract/scim/discovery';
import type { SuccessAnswer } from './operation.ts';
import { call, type Hub } from './request.ts';

interface Asked extends Hub {
  /** The organization. */
  readonly name: string;
}

/** What SCIM can do here. Throws a `HubApiError`: 401, 402 without the top plan, 403 for who is no owner, 404. */
export function getScimServiceProviderConfig({
  name,
  ...hub
}: Asked): Promise<SuccessAnswer<typeof routes.getScimServiceProviderConfig>> {
  return call<typeof routes.getScimServiceProviderConfig>(hub, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/ServiceProviderConfig',
    params: { name },
    query: {},
  });
}

/** The resource types: User and Group. Throws a `HubApiError`: 401, 402, 403, 404. */
export function listScimResourceTypes({
  name,
  ...hub
}: Asked): Promise<SuccessAnswer<typeof routes.listScimResourceTypes>> {
  return call<typeof routes.listScimResourceTypes>(hub, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/ResourceTypes',
    params: { name },
    query: {},
  });
}

/** A resource type by its name, as `User`. Throws a `HubApiError`: 401, 402, 403, 404. */
export function getScimResourceType({
  name,
  resourceTypeId,
  ...hub
}: Asked & { readonly resourceTypeId: string }): Promise<SuccessAnswer<typeof routes.getScimResourceType>> {
  return call<typeof routes.getScimResourceType>(hub, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/ResourceTypes/{resourceTypeId}',
    params: { name, resourceTypeId },
    query: {},
  });
}

/** The attributes of users and groups. Throws a `HubApiError`: 401, 402, 403, 404. */
export function listScimSchemas({ name, ...hub }: Asked): Promise<SuccessAnswer<typeof routes.listScimSchemas>> {
  return call<typeof routes.listScimSchemas>(hub, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/Schemas',
    params: { name },
    query: {},
  });
}

/** A schema by its URI, as `urn:ietf:params:scim:schemas:core:2.0:User`. Throws a `HubApiError`: 401, 402, 403, 404. */
export function getScimSchema({
  name,
  schemaId,
  ...hub
}: Asked & { readonly schemaId: string }): Promise<SuccessAnswer<typeof routes.getScimSchema>> {
  return call<typeof routes.getScimSchema>(hub, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/Schemas/{schemaId}',
    params: { name, schemaId },
    query: {},
  });
}
