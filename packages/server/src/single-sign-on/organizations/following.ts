import { findRole, type Memberships, membershipOf, type NamedRole } from '../../access/index.ts';
import { lockAccount } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { forbidden } from '../../platform/http/errors.ts';
import { findScimProvisioning } from '../../scim/index.ts';
import type { OnSignedIn } from '../flow/service.ts';
import type { Person } from '../people/claims.ts';
import type { RoleRules } from '../providers/provider.ts';
import { bestRole } from './best-role.ts';
import { hasOtherAdmin } from './provider-store.ts';
import { createResourceGroupRoles } from './resource-group-roles.ts';

interface Dependencies {
  readonly memberships: Memberships;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly events: Events;
}

/**
 * Creates the function that makes a person a member of the provider's organization at sign-in, with the role that the
 * person's current groups give. Without groups from the provider the role stays; roles from SCIM take precedence; the
 * last admin stays.
 */
export function createFollowing(dependencies: Dependencies): OnSignedIn {
  const { memberships, audit } = dependencies;
  const followInResourceGroups = createResourceGroupRoles(dependencies);

  async function roleFor(
    tx: Executor,
    orgId: string,
    userId: string,
    { groups }: Person,
    rules: RoleRules,
    before: NamedRole | undefined,
  ): Promise<string> {
    if (before && (groups === undefined || rules.mapping.length === 0)) return before.name;
    const role =
      (await bestRole(tx, orgId, groups ?? [], rules.mapping)) ?? (await findRole(tx, orgId, rules.defaultRole));
    const target = role ?? { name: 'read', base: 'read' };
    const losesAdmin = before?.base === 'admin' && target.base !== 'admin';
    return losesAdmin && !(await hasOtherAdmin(tx, orgId, userId)) ? before.name : target.name;
  }

  return async (tx, visitor, { key: orgId, roles }, { user, person, sessionId }) => {
    if (!roles) return;
    await lockAccount(tx, orgId);
    const userId = user.id;
    const actor: Actor = {
      principal: { userId, userName: user.name, token: { id: sessionId, role: 'write' } },
      ...{ address: visitor.address, userAgent: visitor.userAgent },
    };
    const before = await membershipOf(tx, orgId, userId);
    const provisioning = await findScimProvisioning(tx, orgId, userId);
    if (!before && provisioning.isKnown) throw forbidden('Your organization has removed you from its members');
    if (!provisioning.givesRole) {
      const role = await roleFor(tx, orgId, userId, person, roles, before);
      const joined = { _id: userId, user: user.name };
      const entry = { type: 'org.sso_join', message: `Joined by single sign-on with the role ${role}` } as const;
      await memberships.set(
        tx,
        actor,
        { orgId, userId, role },
        before ? undefined : { ...entry, data: { user: joined, role } },
      );
    }
    await followInResourceGroups(tx, actor, orgId, { user, groups: person.groups, mapping: roles.resourceGroups });
    await audit.record(tx, actor, {
      orgId,
      type: 'org.sso_login',
      message: 'Signed in by single sign-on',
      data: { subject: person.subject, ...(person.sid !== undefined && { session: person.sid }) },
    });
  };
}
