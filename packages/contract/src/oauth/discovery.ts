import * as z from 'zod';
import { defineRoute } from '../route.ts';

const tags = ['oauth'];

const texts = z.array(z.string());

export const ProviderMetadata = z
  .object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    device_authorization_endpoint: z.string(),
    userinfo_endpoint: z.string(),
    jwks_uri: z.string(),
    revocation_endpoint: z.string(),
    scopes_supported: texts,
    response_types_supported: texts,
    response_modes_supported: texts,
    grant_types_supported: texts,
    subject_types_supported: texts,
    id_token_signing_alg_values_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    code_challenge_methods_supported: texts,
    claims_supported: texts,
    authorization_response_iss_parameter_supported: z.boolean(),
  })
  .meta({ id: 'ProviderMetadata' });
export type ProviderMetadata = z.infer<typeof ProviderMetadata>;

export const getOpenidConfiguration = defineRoute({
  id: 'getOpenidConfiguration',
  method: 'GET',
  path: '/.well-known/openid-configuration',
  summary: 'Get the configuration of OpenID Connect',
  tags,
  authority: 'public',
  answers: { 200: ProviderMetadata },
});

export const getAuthorizationServer = defineRoute({
  id: 'getAuthorizationServer',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  summary: 'Get the configuration of OAuth 2.0 (RFC 8414)',
  tags,
  authority: 'public',
  answers: { 200: ProviderMetadata },
});

export const SigningKeys = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).meta({ id: 'SigningKeys' });

export const getSigningKeys = defineRoute({
  id: 'getSigningKeys',
  method: 'GET',
  path: '/oauth/jwks',
  summary: 'Get the keys that id tokens are signed with (RFC 7517)',
  tags,
  authority: 'public',
  answers: { 200: SigningKeys },
});

export const discoveryRoutes = [getOpenidConfiguration, getAuthorizationServer, getSigningKeys] as const;
