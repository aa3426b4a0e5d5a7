import type { Memberships } from '../access/index.ts';
import type { Accounts, Disabling } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Erase, Invitations } from '../members/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Ids } from '../platform/ids.ts';
import type { Tasks } from '../platform/queue/tasks.ts';
import { createManagedUsers } from '../resource-groups/index.ts';
import { createChangeRunner, type Warn } from './change.ts';
import { createScimDiscovery } from './discovery.ts';
import { createGroups } from './groups/service.ts';
import { createLinks } from './role-sync/links.ts';
import { createRejoin } from './role-sync/rejoin.ts';
import { createRoleSync } from './role-sync/role-sync.ts';
import { createSynchronize } from './role-sync/synchronize.ts';
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
  readonly tasks: Tasks;
  readonly warn: Warn;
}

export type Scim = ReturnType<typeof createScim>;

/** Creates the services behind the SCIM API: users, groups, and links from groups to roles. */
export function createScim(dependencies: Dependencies) {
  const { memberships, invitations, tasks } = dependencies;
  const managedUsers = createManagedUsers({ ...dependencies, bySignIn: false });
  const runChange = createChangeRunner(dependencies);
  const synchronize = createSynchronize({ memberships, managedUsers });
  const roleSync = createRoleSync({ tasks, managedUsers, synchronize });
  const standing = createMembershipStatus({ memberships, invitations });
  const marks = createPageCursors(dependencies.clock);
  const parts = { ...dependencies, runChange, roleSync, managedUsers, standing, marks };
  return {
    discovery: createScimDiscovery(dependencies),
    users: createUsers(parts),
    groups: createGroups(parts),
    links: createLinks(parts),
    roleSync,
    rejoin: createRejoin({ managedUsers, roleSync }),
  };
}
