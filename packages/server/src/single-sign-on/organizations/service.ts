import type { NewOrganizationProvider, OrganizationProvider } from '@moonbase/contract/organizations/provider';
import type { z } from 'zod';
import {
  lockOrganization,
  requireGroupRole,
  requireOrganization,
  requirePlan,
  requireRole,
} from '../../access/index.ts';
import type { Account } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, notFound } from '../../platform/http/errors.ts';
import { isInTheClear, issuerFault } from '../../platform/outbound/issuer.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { findGroup, type Group } from '../../resource-groups/index.ts';
import type { SignInParts } from '../../sign-in/index.ts';
import { callbackPath } from '../providers/provider.ts';
import type { ProviderCheck } from '../providers/provider-check.ts';
import type { OrganizationProviderRow } from '../tables.ts';
import { deleteOrganizationProvider, findOrganizationProvider, putOrganizationProvider } from './provider-store.ts';
import { ProviderSettings, secretAt, settingsIn } from './stored-provider.ts';

type Wanted = z.output<typeof NewOrganizationProvider>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly secretBox: SecretBox;
  readonly sessions: SignInParts['sessions'];
  /** Whether issuers on this machine may use http. */
  readonly developmentMode: boolean;
  /** Says in one sentence why people could not sign in at a provider; undefined if they could. */
  readonly faultOf: ProviderCheck;
}

const ADMIN = { role: 'admin', permission: 'org.write' } as const;
const missingProvider = ({ name }: Account) => notFound(`${name} has no OpenID provider`);

function mappingFault({ managed_by: managedBy, auto_join_role: autoJoinRole }: Group): string | undefined {
  if (managedBy !== null) return 'is managed by SCIM';
  return autoJoinRole === null ? undefined : 'is joined automatically by new members; turn that off first';
}

function present(caller: Caller, { name }: Account, row: OrganizationProviderRow): OrganizationProvider {
  const { hubUrl } = caller;
  return {
    ...{ ...settingsIn(row), issuer: row.issuer, clientId: row.client_id, hasSecret: row.client_secret !== null },
    callbackUrl: hubUrl + callbackPath(row.id),
    logoutUrl: `${hubUrl}/login/oidc/backchannel-logout`,
    signInUrl: `${hubUrl}/login?organization=${name}`,
    updatedAt: timestamp(row.updated_at),
  };
}

export type OrganizationProviders = ReturnType<typeof createOrganizationProviders>;

/** The OpenID providers that organizations configure for their people. */
export function createOrganizationProviders(dependencies: Dependencies) {
  const { database, clock, audit, secretBox, sessions, developmentMode, faultOf } = dependencies;

  function requireIssuer(issuer: string): void {
    const inTheClear = isInTheClear(issuer) && !developmentMode ? 'must be an https URL' : undefined;
    const fault = issuerFault(issuer) ?? inTheClear;
    if (fault !== undefined) throw badRequest(`body.issuer: ${fault}`, [{ path: 'body.issuer', message: fault }]);
  }

  /** Throws 400 for unknown roles, and if groups are mapped but none of them to an admin role. */
  async function requireRoles(tx: Executor, orgId: string, { roleMapping, defaultRole }: Wanted): Promise<void> {
    await requireRole(tx, orgId, defaultRole, 'defaultRole');
    const roles = [];
    for (const [at, { role }] of roleMapping.entries())
      roles.push(await requireRole(tx, orgId, role, `roleMapping.${at}.role`));
    if (roles.length > 0 && roles.every(({ base }) => base !== 'admin'))
      throw badRequest('body.roleMapping: must map at least one group to an admin role');
  }

  /** Throws 400 for mapped resource groups that the organization lacks, or whose members follow something else. */
  async function requireResourceGroups(tx: Executor, orgId: string, { resourceGroupMapping }: Wanted): Promise<void> {
    for (const [at, { resourceGroupId, role }] of resourceGroupMapping.entries()) {
      const group = await findGroup(tx, resourceGroupId);
      const path = `resourceGroupMapping.${at}`;
      await requireGroupRole(tx, orgId, role, `${path}.role`);
      const fault = group?.org_id === orgId ? mappingFault(group) : 'is not a resource group of the organization';
      if (fault !== undefined) {
        const field = `body.${path}.resourceGroupId`;
        throw badRequest(`${field}: ${fault}`, [{ path: field, message: fault }]);
      }
    }
  }

  const recordChange = (tx: Executor, caller: Caller, { id: orgId }: Account, message: string, data: object) =>
    audit.record(tx, caller, { orgId, type: 'org.update_settings', message, data: { singleSignOn: data } });

  return {
    async get(caller: Caller, name: string): Promise<OrganizationProvider> {
      const { organization } = await requireOrganization(database.read, caller.principal, name, ADMIN);
      requirePlan(organization, 'team');
      const row = await findOrganizationProvider(database.read, organization.id);
      if (!row) throw missingProvider(organization);
      return present(caller, organization, row);
    },

    /** Tries an issuer, which is contacted outside any transaction; saves nothing. */
    async test(caller: Caller, name: string, issuer: string) {
      const { organization } = await requireOrganization(database.read, caller.principal, name, ADMIN);
      requirePlan(organization, 'team');
      requireIssuer(issuer);
      const fault = await faultOf({ key: organization.id, issuer });
      return { works: fault === undefined, message: fault ?? `${issuer} responds as an OpenID provider` };
    },

    put: (caller: Caller, name: string, wanted: Wanted): Promise<OrganizationProvider> =>
      database.transaction(async (tx) => {
        const { organization } = await lockOrganization(tx, caller.principal, name, ADMIN);
        requirePlan(organization, wanted.createUsers ? 'plus' : 'team');
        requireIssuer(wanted.issuer);
        const { id } = organization;
        if (wanted.resourceGroupMapping.length > 0) requirePlan(organization, 'enterprise');
        await requireRoles(tx, id, wanted);
        await requireResourceGroups(tx, id, wanted);
        const before = await findOrganizationProvider(tx, id);
        const { issuer, clientId, clientSecret, ...settings } = wanted;
        const isSame = before?.issuer === issuer && before.client_id === clientId;
        const sealed = typeof clientSecret === 'string' ? secretBox.seal(clientSecret, secretAt(id)) : null;
        const row: OrganizationProviderRow = {
          ...{ id, issuer, client_id: clientId },
          // A stored secret of one provider is never sent to another.
          client_secret: clientSecret === undefined && isSame ? before.client_secret : sealed,
          settings: JSON.stringify(ProviderSettings.parse(settings)),
          ...{ created_at: before?.created_at ?? clock.now(), updated_at: clock.now() },
        };
        await putOrganizationProvider(tx, row);
        if (before && !isSame) await sessions.endFrom(tx, { provider: id });
        await recordChange(tx, caller, organization, `Set the OpenID provider ${issuer}`, {
          issuer,
          clientId,
          ...settings,
        });
        return present(caller, organization, row);
      }),

    remove: (caller: Caller, name: string): Promise<void> =>
      database.transaction(async (tx) => {
        const { organization } = await lockOrganization(tx, caller.principal, name, ADMIN);
        requirePlan(organization, 'team');
        if (!(await deleteOrganizationProvider(tx, organization.id))) throw missingProvider(organization);
        await sessions.endFrom(tx, { provider: organization.id });
        await recordChange(tx, caller, organization, 'Removed the OpenID provider', { issuer: null });
      }),
  };
}
