import * as contract from '@moonbase/contract/scim/discovery';
import { SCIM_MEDIA_TYPE } from '@moonbase/contract/scim/shapes';
import { Answer } from '../platform/http/answer.ts';
import { explicitlyAccepts } from '../platform/http/response-format.ts';
import type { Routes } from '../platform/http/route.ts';
import type { Scim } from './assembly.ts';
import { listResponse } from './protocol/resources/output.ts';
import { resourceRoutes } from './resource-routes.ts';

type Header = (name: string) => string | undefined;

export function scimRoutes(routes: Routes, scim: Scim): void {
  const { discovery } = scim;
  resourceRoutes(routes, scim);
  routes.add(contract.getScimServiceProviderConfig, async ({ caller, params, query, header }) =>
    answer(header, await discovery.config(caller, params.name, query)),
  );
  routes.add(contract.listScimResourceTypes, async ({ caller, params, query, header }) =>
    answerList(header, await discovery.resourceTypes(caller, params.name, query)),
  );
  routes.add(contract.getScimResourceType, async ({ caller, params, query, header }) =>
    answer(header, await discovery.resourceType(caller, params.name, params.resourceTypeId, query)),
  );
  routes.add(contract.listScimSchemas, async ({ caller, params, query, header }) =>
    answerList(header, await discovery.schemas(caller, params.name, query)),
  );
  routes.add(contract.getScimSchema, async ({ caller, params, query, header }) =>
    answer(header, await discovery.schema(caller, params.name, params.schemaId, query)),
  );
}

/**
 * Responds to discovery with plain JSON, as the specification demands, unless the client asks for the SCIM media type.
 */
function answer<T>(header: Header, body: T): Answer<T> {
  const type = explicitlyAccepts(header('accept'), SCIM_MEDIA_TYPE) ? SCIM_MEDIA_TYPE : 'application/json';
  return new Answer(body, { headers: { 'content-type': `${type}; charset=utf-8`, vary: 'Accept' } });
}

/** Responds with a plain list, or with a list response of RFC 7644 to clients that ask for the SCIM media type. */
function answerList<T>(header: Header, list: readonly T[]) {
  if (!explicitlyAccepts(header('accept'), SCIM_MEDIA_TYPE)) return answer(header, [...list]);
  return answer(header, listResponse(list, { totalResults: list.length, startIndex: 1 }));
}
