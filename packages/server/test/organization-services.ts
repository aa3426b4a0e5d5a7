import { createCustomRoles, createMemberships, cutOffFrom, cutOffs } from '../src/access/index.ts';
import { createAccounts } from '../src/accounts/index.ts';
import { createAuditLog } from '../src/audit-log/index.ts';
import { createEvents } from '../src/platform/events/events.ts';
import type { Topic } from '../src/platform/events/topic.ts';
import type { Caller } from '../src/platform/http/authenticate.ts';
import { createIds } from '../src/platform/ids.ts';
import { createRepositories } from '../src/repositories/index.ts';
import { createResourceGroups } from '../src/resource-groups/index.ts';
import { watchOrganization } from '../src/watching/index.ts';
import { createTestClock } from './clock.ts';
import { noContents } from './no-contents.ts';
import { openTestDatabase } from './open-test-database.ts';

/** Opens the services that administer an organization, without HTTP, on a database of their own. */
export async function openOrganization() {
  const opened = await openTestDatabase();
  const { database } = opened;
  const clock = createTestClock();
  const ids = createIds(clock);
  const events = createEvents({ clock, ids, nudge() {} });
  const audit = createAuditLog({ clock, ids });
  const accounts = createAccounts({ database, clock, ids, events, cutOffs: { column: cutOffs, read: cutOffFrom } });
  const memberships = createMemberships({
    clock,
    events,
    audit,
    onAccess: (tx, { orgId, userIds }) => watchOrganization(tx, userIds, orgId, clock.now()),
  });
  const parts = { database, clock, ids, events, audit };
  const org = await database.transaction((tx) =>
    accounts.create(tx, { kind: 'org', name: 'acme', plan: 'enterprise' }),
  );

  return {
    database,
    orgId: org.id,
    events,
    memberships,
    customRoles: createCustomRoles({ ...parts, keepers: [] }),
    repositories: createRepositories({ database, clock, ids, events, audit, contents: noContents }),
    groups: createResourceGroups(parts),

    /** Creates users, each with a role in the organization or none; returns their callers. */
    async people<Name extends string>(
      roles: Readonly<Record<Name, string | undefined>>,
    ): Promise<Record<Name, Caller>> {
      const callers: Partial<Record<Name, Caller>> = {};
      await database.transaction(async (tx) => {
        for (const [name, role] of Object.entries<string | undefined>(roles)) {
          const { id: userId } = await accounts.create(tx, { kind: 'user', name });
          const caller = callerOf(userId, name);
          if (role !== undefined) await memberships.set(tx, caller, { orgId: org.id, userId, role });
          callers[name as Name] = caller;
        }
      });
      return callers as Record<Name, Caller>;
    },

    /** Sets the role of a user in the organization, or removes it. */
    setRole: (userId: string, role: string | null, actorId = userId) =>
      database.transaction((tx) =>
        role === null
          ? memberships.remove(tx, callerOf(actorId, actorId), { orgId: org.id, userId })
          : memberships.set(tx, callerOf(actorId, actorId), { orgId: org.id, userId, role }),
      ),

    async admins(): Promise<number> {
      const rows = await database.read
        .selectFrom('memberships')
        .select('user_id')
        .where('org_id', '=', org.id)
        .where('base_role', '=', 'admin')
        .execute();
      return rows.length;
    },

    /** Returns the events of a topic in order. */
    async recorded<Data>(topic: Topic<Data>): Promise<Data[]> {
      const rows = await database.read
        .selectFrom('events')
        .select('data')
        .where('topic', '=', topic.name)
        .orderBy('id')
        .execute();
      return rows.map((row) => topic.read(row.data));
    },

    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const callerOf = (userId: string, userName: string): Caller => ({
  baseUrl: 'http://hub.test',
  hubUrl: 'http://hub.test',
  url: 'http://hub.test/',
  address: '127.0.0.1',
  userAgent: undefined,
  requestId: 'test',
  principal: { userId, userName, siteAdmin: false, token: { id: `token of ${userName}`, role: 'write' } },
});

export type Organization = Awaited<ReturnType<typeof openOrganization>>;
