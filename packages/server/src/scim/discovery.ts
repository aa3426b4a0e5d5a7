import type { ResourceType, SchemaDefinition, ServiceProviderConfig } from '@moonbase/contract/scim/discovery';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { forbidden, notFound } from '../platform/http/errors.ts';
import { resourceTypes, schemaDefinitions, serviceProviderConfig } from './protocol/resources/schemas.ts';
import { requireScim } from './requirements.ts';

interface Dependencies {
  readonly database: Database;
}

/** The query of a discovery request, which must not have a filter (RFC 7644, 4). */
interface Query {
  readonly filter?: string | undefined;
}

export type ScimDiscovery = ReturnType<typeof createScimDiscovery>;

/** Serves the discovery documents (E21). */
export function createScimDiscovery({ database: { read } }: Dependencies) {
  /** Returns the base URL of an organization's API. */
  async function baseUrlOf(caller: Caller, name: string, { filter }: Query): Promise<string> {
    const organization = await requireScim(read, caller.principal, name);
    if (filter !== undefined) throw forbidden('These resources cannot be filtered');
    return `${caller.baseUrl}/api/organizations/${organization.name}/scim/v2`;
  }

  const resourceTypesOf = async (caller: Caller, name: string, query: Query): Promise<ResourceType[]> =>
    resourceTypes(await baseUrlOf(caller, name, query));

  const schemasOf = async (caller: Caller, name: string, query: Query): Promise<SchemaDefinition[]> =>
    schemaDefinitions(await baseUrlOf(caller, name, query));

  return {
    async config(caller: Caller, name: string, query: Query): Promise<ServiceProviderConfig> {
      return serviceProviderConfig(await baseUrlOf(caller, name, query), `${caller.baseUrl}/docs`);
    },
    resourceTypes: resourceTypesOf,
    schemas: schemasOf,
    resourceType: async (caller: Caller, name: string, id: string, query: Query) =>
      byId(await resourceTypesOf(caller, name, query), id),
    schema: async (caller: Caller, name: string, id: string, query: Query) =>
      byId(await schemasOf(caller, name, query), id),
  };
}

function byId<T extends { readonly id: string }>(list: readonly T[], id: string): T {
  const found = list.find((each) => each.id.toLowerCase() === id.toLowerCase());
  if (!found)
    throw notFound(`There is no ${id.slice(0, 200)}here; available: ${list.map((each) => each.id).join(', ')}`);
  return found;
}
