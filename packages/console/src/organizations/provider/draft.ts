import type { OrganizationProvider, setSingleSignOn } from '@moonbase/client/single-sign-on';

type NewProvider = Parameters<typeof setSingleSignOn>[0]['provider'];

export interface MappedRole {
  readonly key: number;
  readonly group: string;
  /** Null: the role applies to the organization. */
  readonly resourceGroupId: string | null;
  readonly role: string;
}

/** The fields of the form for a provider. */
export interface ProviderDraft {
  readonly issuer: string;
  readonly clientId: string;
  /** Empty: the stored secret, if there is one. */
  readonly secret: string;
  readonly dropsSecret: boolean;
  readonly scopes: string;
  readonly subjectClaim: string;
  readonly usernameClaim: string;
  readonly groupsClaim: string;
  /** One domain per line. */
  readonly domains: string;
  /** One group per line. */
  readonly groups: string;
  readonly createUsers: boolean;
  readonly defaultRole: string;
  readonly mapping: readonly MappedRole[];
}

const EMPTY: ProviderDraft = {
  ...{ issuer: '', clientId: '', secret: '', dropsSecret: false, scopes: 'openid profile email' },
  ...{ subjectClaim: 'sub', usernameClaim: 'preferred_username', groupsClaim: 'groups' },
  ...{ domains: '', groups: '', createUsers: false, defaultRole: 'read', mapping: [] },
};

/** Returns the fields for a stored provider, or for a new one. */
export function draftOf(provider: OrganizationProvider | null): ProviderDraft {
  if (!provider) return EMPTY;
  const { issuer, clientId, scopes, subjectClaim, usernameClaim, groupsClaim, createUsers, defaultRole } = provider;
  return {
    ...{ ...EMPTY, issuer, clientId, scopes, subjectClaim, usernameClaim, groupsClaim, createUsers, defaultRole },
    domains: provider.allowedDomains.join('\n'),
    groups: provider.allowedGroups.join('\n'),
    mapping: [
      ...provider.roleMapping.map((mapped) => ({ ...mapped, resourceGroupId: null })),
      ...provider.resourceGroupMapping,
    ].map((mapped, key) => ({ ...mapped, key })),
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Returns a draft for the hub's API. Rows of the mapping without a group are left out. */
export function providerOf(draft: ProviderDraft): NewProvider {
  const { issuer, clientId, secret, dropsSecret, scopes, subjectClaim, usernameClaim, groupsClaim } = draft;
  const { createUsers, defaultRole, mapping } = draft;
  const mapped = mapping
    .map(({ group, role, resourceGroupId }) => ({ group: group.trim(), role, resourceGroupId }))
    .filter(({ group }) => group !== '');
  const clientSecret = dropsSecret ? null : secret === '' ? undefined : secret;
  return {
    ...{ issuer: issuer.trim(), clientId: clientId.trim(), scopes, createUsers, defaultRole },
    ...{ subjectClaim, usernameClaim, groupsClaim },
    ...(clientSecret !== undefined && { clientSecret }),
    allowedDomains: linesOf(draft.domains),
    allowedGroups: linesOf(draft.groups),
    roleMapping: mapped.flatMap(({ group, role, resourceGroupId }) =>
      resourceGroupId === null ? [{ group, role }] : [],
    ),
    resourceGroupMapping: mapped.flatMap(({ group, role, resourceGroupId }) =>
      resourceGroupId === null ? [] : [{ group, role, resourceGroupId }],
    ),
  };
}
