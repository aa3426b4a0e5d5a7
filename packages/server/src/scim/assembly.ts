import type { Memberships } from '../access/index.ts';
import type { Accounts, Disabling } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Erase, Invitations } from '../members/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { Ids } from '../platform/ids.ts';
import { createManagedUsers } from '../resource-groups/index.ts';
import { createChanging, type Warn } from './change.ts';
import { createScimDiscovery } from './discovery.ts';
import { createGroups } from './groups/service.ts';
import { createLinks } from './role-sync/links.ts';
import { createRoleSync } from './role-sync/role-sync.ts';
import { createMembershipStatus } from './users/membership-status.ts';
import { createPageCursors } from './users/page-cursors.ts';
import { createUsers } from './users/service.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly accounts: Accounts;
  readonly disabling: Disabling;
  readonly memberships: Memberships;
  readonly invitations: Invitations;
  readonly erase: Erase;
  readonly warn: Warn;
}

export type Scim = ReturnType<typeof createScim>;

/** What identity providers do: users, groups, and what groups are linked to. */
export function createScim(dependencies: Dependencies) {
  const { memberships, invitations } = dependencies;
  const managedUsers = createManagedUsers(dependencies);
  const changing = createChanging(dependencies);
  const following = createRoleSync({ memberships, managedUsers });
  const standing = createMembershipStatus({ memberships, invitations });
  const marks = createPageCursors(dependencies.clock);
  const parts = { ...dependencies, changing, following, managedUsers, standing, marks };
  return {
    discovery: createScimDiscovery(dependencies),
    users: createUsers(parts),
    groups: createGroups(parts),
    links: createLinks(parts),
    joined: (tx: Executor, caller: Caller, member: { readonly orgId: string; readonly userId: string }) =>
      following.joined(tx, caller, member),
    rebased: (tx: Executor, caller: Caller, orgId: string) => following.rebased(tx, caller, orgId),
  };
}
