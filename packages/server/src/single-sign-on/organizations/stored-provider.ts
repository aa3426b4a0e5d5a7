import { NewOrganizationProvider } from '@moonbase/contract/organizations/provider';
import type { z } from 'zod';
import { hasPlan } from '../../access/index.ts';
import type { Account } from '../../accounts/index.ts';
import type { SealedAt, SecretBox } from '../../platform/secrets.ts';
import { readStored } from '../../platform/stored-form.ts';
import type { Provider } from '../providers/provider.ts';
import type { OrganizationProviderRow } from '../tables.ts';

/** The settings of a provider, which are stored as JSON; the other columns are those that queries use. */
export const ProviderSettings = NewOrganizationProvider.omit({ issuer: true, clientId: true, clientSecret: true });
export type ProviderSettings = z.output<typeof ProviderSettings>;

export const settingsIn = (row: OrganizationProviderRow): ProviderSettings =>
  readStored(ProviderSettings, JSON.parse(row.settings), 'The provider of an organization');

export const secretAt = (orgId: string): SealedAt => ({
  table: 'organization_providers',
  column: 'client_secret',
  id: orgId,
});

/** Returns the provider of an organization; undefined if the plan of the organization no longer includes it. */
export function providerFrom(
  row: OrganizationProviderRow,
  organization: Account,
  secretBox: SecretBox,
): Provider | undefined {
  if (!hasPlan(organization, 'team')) return undefined;
  const { scopes, subjectClaim, usernameClaim, groupsClaim, ...settings } = settingsIn(row);
  const { allowedGroups, createUsers, defaultRole, roleMapping } = settings;
  const { client_secret: sealed } = row;
  return {
    ...{ key: row.id, name: organization.fullname, issuer: row.issuer, clientId: row.client_id, scopes },
    clientSecret: sealed === null ? undefined : secretBox.open(sealed, secretAt(row.id)),
    claims: { subject: subjectClaim, username: usernameClaim, groups: groupsClaim },
    rules: {
      allowedDomains: settings.allowedDomains.map((domain) => domain.toLowerCase()),
      allowedGroups,
      createUsers: createUsers && hasPlan(organization, 'plus'),
      linkByEmail: false,
      scimOrganizations: [],
    },
    roles: {
      defaultRole,
      mapping: roleMapping,
      resourceGroups: hasPlan(organization, 'enterprise') ? settings.resourceGroupMapping : undefined,
    },
  };
}
