import type { ResourceType, SchemaDefinition, ServiceProviderConfig } from '@moonbase/contract/scim/discovery';
import { ATTRIBUTES, type Attribute, type ResourceKind, SCHEMA_OF } from './attributes.ts';
import type { JsonObject } from './json.ts';
import { MAX_RESOURCES } from './paging.ts';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const KINDS: readonly ResourceKind[] = ['User', 'Group'];
const DESCRIPTIONS: Readonly<Record<ResourceKind, string>> = {
  User: 'A member of the organization, or an account that may become one',
  Group: 'A group of users',
};

/** Returns the service provider configuration; `baseUrl` is that of the API, `docsUrl` a page for people. */
export const serviceProviderConfig = (baseUrl: string, docsUrl: string): ServiceProviderConfig => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  documentationUri: docsUrl,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESOURCES },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Access token',
      description: 'The header `Authorization: Bearer hf_…` with an access token of an owner of the organization',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      documentationUri: docsUrl,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
});

export const resourceTypes = (baseUrl: string): ResourceType[] =>
  KINDS.map((kind) => ({
    schemas: [`${CORE}:ResourceType`],
    id: kind,
    name: kind,
    description: DESCRIPTIONS[kind],
    endpoint: `/${kind}s`,
    schema: SCHEMA_OF[kind],
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${kind}` },
  }));

export const schemaDefinitions = (baseUrl: string): SchemaDefinition[] =>
  KINDS.map((kind) => ({
    schemas: [`${CORE}:Schema`],
    id: SCHEMA_OF[kind],
    name: kind,
    description: DESCRIPTIONS[kind],
    attributes: definitionsOf(ATTRIBUTES[kind]),
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${SCHEMA_OF[kind]}` },
  }));

const definitionsOf = (attributes: readonly Attribute[]): JsonObject[] =>
  attributes.filter(({ unlisted }) => !unlisted).map(definitionOf);

/** Returns the definition of an attribute (RFC 7643, 7); `caseExact` applies to texts only. */
const definitionOf = (attribute: Attribute): JsonObject => {
  const { name, type, multiValued, description, required, mutability, returned, uniqueness } = attribute;
  return {
    name,
    type,
    multiValued,
    description,
    required,
    ...(type === 'string' && { caseExact: attribute.caseExact }),
    mutability,
    returned,
    uniqueness,
    ...(attribute.referenceTypes && { referenceTypes: attribute.referenceTypes }),
    ...(attribute.subAttributes && { subAttributes: definitionsOf(attribute.subAttributes) }),
  };
};
