import type { TokenRole } from '@moonbase/contract/accounts/profiles';
import type { TokenPolicy } from '@moonbase/contract/organizations/member-tokens';
import { PLANS, type Plan, REPO_TYPES, type RepoType, ROLES } from '@moonbase/contract/primitives';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutOffFrom, cutOffs, readable, readableBy, readersOf, repoColumns, roleOf } from '../src/access/index.ts';
import { bestOf, grantsOn } from '../src/access/policy.ts';
import { createAccounts, deletedKey } from '../src/accounts/index.ts';
import { type AccountRow, NO_OWN_QUOTAS } from '../src/accounts/tables.ts';
import { createEvents } from '../src/platform/events/events.ts';
import type { Principal } from '../src/platform/http/authenticate.ts';
import { createIds } from '../src/platform/ids.ts';
import { sha256 } from '../src/platform/secrets.ts';
import { findRepo } from '../src/repositories/index.ts';
import type { RepositoryRow } from '../src/repositories/tables.ts';
import { createTestClock } from './clock.ts';
import { type OpenTestDatabase, openTestDatabase } from './open-test-database.ts';

const clock = createTestClock();
const ids = createIds(clock);
let opened: OpenTestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened[Symbol.asyncDispose]());

interface HasRole {
  readonly base: (typeof ROLES)[number];
  readonly custom: boolean;
}

/** Users and organizations by number, their memberships, and the owners of repositories. */
interface World {
  readonly users: number;
  readonly orgs: number;
  /** `custom` is the role of the organization on which a custom role is based. */
  readonly roles: readonly (HasRole | undefined)[];
  /** The number of groups of an organization, and the role of each user in each of them. */
  readonly groups: number;
  readonly groupRoles: readonly (HasRole | undefined)[];
  /** `group` is the index of a group of the owner; the last index means none. */
  readonly repos: readonly { owner: number; type: RepoType; private: boolean; maker: number; group: number }[];
  /** The scopes of the fine-grained tokens: a permission on an owner or on a repository. */
  readonly scopes: readonly { on: 'owner' | 'repo' | 'group'; at: number; permission: string }[];
  /** The plan of each organization. */
  readonly plans: readonly Plan[];
}

/** The rules of organizations for tokens, and whether the organizations exist. */
interface Rules {
  readonly deleted: readonly boolean[];
  readonly policies: readonly TokenPolicy[];
  /** The decision of each organization on the token of each user. */
  readonly decisions: readonly ('pending' | 'approved' | 'denied' | 'revoked' | undefined)[];
  /** The role of each user's token. */
  readonly tokens: readonly TokenRole[];
}

const MAX_ORGS = 2;
const MAX_USERS = 4;
const exactly = <T>(of: fc.Arbitrary<T>, length: number) => fc.array(of, { minLength: length, maxLength: length });

const rules: fc.Arbitrary<Rules> = fc.record({
  deleted: exactly(
    fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
    MAX_ORGS,
  ),
  policies: exactly(fc.constantFrom('any', 'fine-grained', 'approval'), MAX_ORGS),
  decisions: exactly(
    fc.option(fc.constantFrom('pending', 'approved', 'denied', 'revoked'), { nil: undefined }),
    MAX_ORGS * MAX_USERS,
  ),
  tokens: exactly(fc.constantFrom('read', 'write', 'fineGrained'), MAX_USERS),
});

const someRoles = (length: number) =>
  fc.array(
    fc.option(fc.record({ base: fc.constantFrom(...ROLES), custom: fc.boolean() }), { nil: undefined, freq: 3 }),
    { minLength: length, maxLength: length },
  );

const worlds: fc.Arbitrary<World> = fc
  .record({
    users: fc.integer({ min: 1, max: MAX_USERS }),
    orgs: fc.integer({ min: 1, max: MAX_ORGS }),
    groups: fc.integer({ min: 1, max: 2 }),
  })
  .chain(({ users, orgs, groups }) =>
    fc.record({
      users: fc.constant(users),
      orgs: fc.constant(orgs),
      groups: fc.constant(groups),
      plans: exactly(fc.constantFrom(...PLANS), orgs),
      roles: someRoles(users * orgs),
      groupRoles: someRoles(users * orgs * groups),
      repos: fc.array(
        fc.record({
          owner: fc.integer({ min: 0, max: users + orgs - 1 }),
          type: fc.constantFrom(...REPO_TYPES),
          private: fc.boolean(),
          maker: fc.integer({ min: 0, max: users - 1 }),
          group: fc.integer({ min: 0, max: groups }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      scopes: fc.array(
        fc.record({
          on: fc.constantFrom('owner', 'repo', 'group'),
          at: fc.nat(5),
          permission: fc.constantFrom('repo.content.read', 'repo.write', 'discussion.write'),
        }),
        { maxLength: 3 },
      ),
    }),
  );

const account = (kind: AccountRow['kind']): AccountRow => {
  const id = ids();
  return {
    id,
    kind,
    name: `n${id}`,
    name_key: `n${id}`,
    fullname: 'Somebody',
    avatar_url: null,
    created_at: 0,
    email: null,
    pro: 0,
    site_admin: 0,
    plan: 'free',
    details: null,
    disabled_at: null,
    disabled_by: null,
    ...NO_OWN_QUOTAS,
  };
};

/** Adds a world to the database beside earlier ones. */
async function settle(world: World) {
  const users = Array.from({ length: world.users }, () => account('user'));
  const orgs = world.plans.map((plan) => ({ ...account('org'), plan }));
  const owners = [...users, ...orgs];
  const named = ({ base, custom }: HasRole) => ({ role: custom ? `our ${base}` : base, base_role: base });
  const memberships = orgs.flatMap((org, orgAt) =>
    users.flatMap((user, userAt) => {
      const role = world.roles[orgAt * world.users + userAt];
      return role === undefined ? [] : [{ org_id: org.id, user_id: user.id, ...named(role), created_at: 0 }];
    }),
  );
  const customRoles = orgs.flatMap((org) =>
    ROLES.map((base) => {
      const name = `our ${base}`;
      return { org_id: org.id, name, base, description: null, created_at: 0, name_key: name };
    }),
  );
  const groups = orgs.flatMap((org) =>
    Array.from({ length: world.groups }, () => ({
      id: ids(),
      org_id: org.id,
      name: 'A group',
      description: null,
      auto_join_role: null,
      auto_join_scope: 'all' as const,
      managed_by: null,
      created_at: 0,
    })),
  );
  const groupUsers = groups.flatMap((group, groupAt) =>
    users.flatMap((user, userAt) => {
      const role = world.groupRoles[groupAt * world.users + userAt];
      if (role === undefined) return [];
      return [{ group_id: group.id, user_id: user.id, ...named(role), added_by: null, created_at: 0, by_sign_in: 0 }];
    }),
  );
  const repos: RepositoryRow[] = world.repos.map((repo) => {
    const id = ids();
    const ownerId = owners[repo.owner]!.id;
    return {
      id,
      type: repo.type,
      owner_id: ownerId,
      name: id,
      name_key: id,
      private: repo.private ? 1 : 0,
      created_by: users[repo.maker]!.id,
      created_at: 0,
      head_sha: null,
      sdk: null,
      ...{ gated: null, gate_for_members: 0, gate_email: null, gate_mails: 'real-time' },
      discussions_disabled: 0,
      discussion_count: 0,
      mirrored: 0,
      downloads: 0,
      likes: 0,
      trending_score: 0,
      tag_signature: 0,
      last_modified: 0,
      resource_group_id: groups.filter((group) => group.org_id === ownerId)[repo.group]?.id ?? null,
      resource_group_added_by: null,
    };
  });
  await opened.database.transaction(async (tx) => {
    await tx.insertInto('accounts').values(owners).execute();
    if (memberships.length > 0) await tx.insertInto('memberships').values(memberships).execute();
    if (customRoles.length > 0) await tx.insertInto('custom_roles').values(customRoles).execute();
    if (groups.length > 0)
      await tx
        .insertInto('resource_groups')
        .values(groups.map((group) => ({ ...group, name_key: group.id })))
        .execute();
    if (groupUsers.length > 0) await tx.insertInto('resource_group_users').values(groupUsers).execute();
    await tx.insertInto('repositories').values(repos).execute();
  });
  const standingOf = (repo: RepositoryRow, userId: string) => ({
    membership: memberships.find((row) => row.org_id === repo.owner_id && row.user_id === userId)?.base_role,
    group: groupUsers.find((row) => row.group_id === repo.resource_group_id && row.user_id === userId)?.base_role,
  });
  const scoped = world.scopes.flatMap(({ on, at, permission }) => {
    const entities = { owner: owners, repo: repos, group: groups }[on];
    const entity = entities[at % Math.max(1, entities.length)];
    return entity ? [{ entity: { _id: entity.id, type: on }, permissions: [permission] }] : [];
  });
  return { users, orgs, owners, repos, standingOf, scoped };
}

const pair = (repoId: string, userId: string) => `${repoId} ${userId}`;

/** Returns the pairs that SQL finds when it joins every repository with every user. */
async function readableOfColumns(repoIds: string[], userIds: string[]): Promise<Set<string>> {
  const rows = await opened.database.read
    .selectFrom('repositories')
    .innerJoin('accounts', (join) => join.onTrue())
    .select(['repositories.id as repoId', 'accounts.id as userId'])
    .where('repositories.id', 'in', repoIds)
    .where('accounts.id', 'in', userIds)
    .where(readable(repoColumns, sql.ref('accounts.id')))
    .execute();
  return new Set(rows.map((row) => pair(row.repoId, row.userId)));
}

/** Returns the users that SQL finds for the facts of one repository, as the matching of webhooks asks. */
async function readersOfFacts(repo: RepositoryRow, userIds: string[]): Promise<Set<string>> {
  const rows = await opened.database.read
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', userIds)
    .where(readersOf(factsOf(repo), sql.ref('accounts.id')))
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** Returns the repositories that SQL finds for a caller, as an overview asks. */
async function readableByCaller(caller: Principal, repoIds: string[]): Promise<Set<string>> {
  const rows = await opened.database.read
    .selectFrom('repositories')
    .select('id')
    .where('id', 'in', repoIds)
    .where(readableBy(repoColumns, caller))
    .execute();
  return new Set(rows.map((row) => row.id));
}

const holder = (user: AccountRow, token: Omit<Principal['token'], 'id'>): Principal => ({
  userId: user.id,
  userName: user.name,
  siteAdmin: false,
  token: { id: ids(), ...token },
});
const factsOf = (repo: RepositoryRow) => ({
  id: repo.id,
  ownerId: repo.owner_id,
  private: repo.private === 1,
  createdBy: repo.created_by,
  groupId: repo.resource_group_id,
});

/** Counts each answer, since a comparison means something only if both answers occur. */
const tally = () => ({ yes: 0, no: 0 });
const few = ({ yes, no }: { yes: number; no: number }) => Math.min(yes, no) < 50;

test('SQL and the access rules agree on what a user may read, for every repository and user', async () => {
  const readings = tally();
  const inGroups = tally();
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { users, repos, standingOf } = await settle(world);
      const userIds = users.map((user) => user.id);
      const ofColumns = await readableOfColumns(
        repos.map((repo) => repo.id),
        userIds,
      );
      for (const repo of repos) {
        const ofFacts = await readersOfFacts(repo, userIds);
        for (const user of users) {
          const role = bestOf(grantsOn(factsOf(repo), user.id, standingOf(repo, user.id)));
          const reads = role !== undefined;
          readings[reads ? 'yes' : 'no'] += 1;
          if (repo.private === 1 && repo.resource_group_id !== null) inGroups[reads ? 'yes' : 'no'] += 1;
          expect({
            columns: ofColumns.has(pair(repo.id, user.id)),
            facts: ofFacts.has(user.id),
            asked: await roleOf(opened.database.read, holder(user, { role: 'write' }), factsOf(repo)),
          }).toEqual({ columns: reads, facts: reads, asked: role });
        }
      }
    }),
    { numRuns: 500, seed: 7780 },
  );
  expect(readings).not.toSatisfy(few);
  expect(inGroups).not.toSatisfy(few);
});

test('SQL and the access rules agree on what a caller may read with a token', async () => {
  const readings = tally();
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { users, repos, scoped } = await settle(world);
      const repoIds = repos.map((repo) => repo.id);
      for (const user of users) {
        const tokens: Omit<Principal['token'], 'id'>[] = [
          { role: 'read' },
          { role: 'fineGrained', fineGrained: { scoped } },
          { role: 'fineGrained', fineGrained: { scoped: [], global: ['discussion.write'] } },
        ];
        for (const token of tokens) {
          const caller = holder(user, token);
          const found = await readableByCaller(caller, repoIds);
          for (const repo of repos) {
            const reads = (await roleOf(opened.database.read, caller, factsOf(repo))) !== undefined;
            readings[reads ? 'yes' : 'no'] += 1;
            expect({ token: token.role, found: found.has(repo.id) }).toEqual({ token: token.role, found: reads });
          }
        }
      }
    }),
    { numRuns: 500, seed: 7781 },
  );
  expect(readings).not.toSatisfy(few);
});

/** Gives each user a token, and sets the rules and decisions of organizations. */
async function setRules({ users, orgs, scoped }: Awaited<ReturnType<typeof settle>>, given: Rules): Promise<void> {
  await opened.database.transaction(async (tx) => {
    for (const [at, user] of users.entries()) {
      const role = given.tokens[at]!;
      const token = {
        id: ids(),
        user_id: user.id,
        display_name: 'a token',
        role,
        last4: '',
        created_at: 0,
        last_used_at: 0,
      };
      const fine_grained = role === 'fineGrained' ? JSON.stringify({ scoped }) : null;
      await tx
        .insertInto('tokens')
        .values({ ...token, fine_grained, hash: sha256(user.id) })
        .execute();
      for (const [orgAt, org] of orgs.entries()) {
        const status = given.decisions[orgAt * MAX_USERS + at];
        if (status === undefined) continue;
        const row = { org_id: org.id, token_id: token.id, status, decided_by: null, created_at: 0, decided_at: null };
        await tx.insertInto('organization_tokens').values(row).execute();
      }
    }
    for (const [at, org] of orgs.entries()) {
      const row = { org_id: org.id, members_private: 0, group_creators: 'admin' as const, join_domains: '[]' };
      const deleted_at = given.deleted[at] ? 1 : null;
      await tx
        .insertInto('organization_settings')
        .values({ ...row, token_policy: given.policies[at]!, deleted_at })
        .execute();
      if (!given.deleted[at]) continue;
      await tx
        .updateTable('accounts')
        .set({ name_key: deletedKey(org.name) })
        .where('id', '=', org.id)
        .execute();
    }
  });
}

test('a request can read exactly what lists show: whatever organizations say of tokens, on any plan, deleted or not', async () => {
  const events = createEvents({ clock, ids, nudge() {} });
  const { database } = opened;
  const accounts = createAccounts({ database, clock, ids, events, cutOffs: { column: cutOffs, read: cutOffFrom } });
  const readings = tally();
  const cutOff = tally();
  const deleted = tally();
  await fc.assert(
    fc.asyncProperty(worlds, rules, async (world, given) => {
      const settled = await settle(world);
      const { users, owners, repos } = settled;
      await setRules(settled, given);
      for (const user of users) {
        const caller = (await accounts.authenticate(user.id))!;
        const listed = await readableByCaller(
          caller,
          repos.map((repo) => repo.id),
        );
        for (const repo of repos) {
          const owner = owners.find(({ id }) => id === repo.owner_id)!;
          const found = await findRepo(database.read, { type: repo.type, namespace: owner.name, name: repo.name });
          const role = found && (await roleOf(database.read, caller, factsOf(found)));
          readings[role ? 'yes' : 'no'] += 1;
          cutOff[caller.token.cutOff?.[owner.id] ? 'yes' : 'no'] += 1;
          deleted[found ? 'no' : 'yes'] += 1;
          expect({ listed: listed.has(repo.id) }).toEqual({ listed: role !== undefined });
          // Webhooks and notifications ask about the user alone, who reads at least as much as any of their tokens.
          const reads = (await readersOfFacts(repo, [user.id])).has(user.id);
          if (role) expect(reads).toBe(true);
          const whole = found && (await roleOf(database.read, holder(user, { role: 'write' }), factsOf(found)));
          expect({ reads }).toEqual({ reads: whole !== undefined });
        }
      }
    }),
    { numRuns: 300, seed: 7782 },
  );
  for (const counts of [readings, cutOff, deleted]) expect(counts).not.toSatisfy(few);
});
