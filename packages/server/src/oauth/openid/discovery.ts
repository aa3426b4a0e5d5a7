import type { ProviderMetadata } from '@moonbase/contract/oauth/discovery';
import { DEVICE_GRANT } from '@moonbase/contract/oauth/protocol';
import { OAUTH_SCOPES } from '@moonbase/contract/oauth/scopes';
import { ALGORITHM } from './keys.ts';

/** Returns the discovery document, for clients that know only the address of the hub. */
export const metadataOf = (issuer: string): ProviderMetadata => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  device_authorization_endpoint: `${issuer}/oauth/device`,
  userinfo_endpoint: `${issuer}/oauth/userinfo`,
  jwks_uri: `${issuer}/oauth/jwks`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: [...OAUTH_SCOPES],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [ALGORITHM],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  claims_supported: [
    ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce'],
    ...['name', 'preferred_username', 'profile', 'picture', 'email', 'email_verified', 'orgs', 'isPro'],
  ],
  authorization_response_iss_parameter_supported: true,
});
