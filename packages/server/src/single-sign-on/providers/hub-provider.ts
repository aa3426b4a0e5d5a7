import type { Config } from '../../config.ts';
import { HUB, type Provider } from './provider.ts';

/** Returns the provider that the operator configured for the whole hub, if any. */
export function hubProvider({ oidc }: Pick<Config, 'oidc'>): Provider | undefined {
  const { issuer, clientId, clientSecret, scopes } = oidc;
  if (issuer === undefined || clientId === undefined) return undefined;
  const { allowedDomains, allowedGroups, adminGroup, createUsers, linkByEmail, scimOrganizations } = oidc;
  return {
    ...{ key: HUB, name: oidc.name ?? new URL(issuer).hostname, issuer, clientId, clientSecret, scopes },
    claims: { subject: oidc.subjectClaim, username: oidc.usernameClaim, groups: oidc.groupsClaim },
    rules: { allowedDomains, allowedGroups, adminGroup, createUsers, linkByEmail, scimOrganizations },
  };
}
