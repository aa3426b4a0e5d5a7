import { ROLES } from '@moonbase/contract/primitives';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readable, readableBy, roleOf } from '../src/access/index.ts';
import { repoRole } from '../src/access/policy.ts';
import type { AccountRow, RepositoryRow } from '../src/platform/database/tables.ts';
import type { Principal } from '../src/platform/http/authenticate.ts';
import { createIds } from '../src/platform/ids.ts';
import { createTestClock } from './clock.ts';
import { type OpenTestDatabase, openTestDatabase } from './open-test-database.ts';

const ids = createIds(createTestClock());
let opened: OpenTestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened[Symbol.asyncDispose]());

/** People and organizations by number, who belongs where, and what belongs to whom. */
interface World {
  readonly users: number;
  readonly orgs: number;
  readonly roles: readonly ((typeof ROLES)[number] | undefined)[];
  readonly repos: readonly { owner: number; private: boolean; maker: number }[];
  /** What the fine-grained tokens are good for: a permission on an owner or on a repository. */
  readonly scopes: readonly { on: 'owner' | 'repo'; at: number; permission: string }[];
}

const worlds: fc.Arbitrary<World> = fc
  .record({ users: fc.integer({ min: 1, max: 4 }), orgs: fc.integer({ min: 0, max: 3 }) })
  .chain(({ users, orgs }) =>
    fc.record({
      users: fc.constant(users),
      orgs: fc.constant(orgs),
      roles: fc.array(fc.option(fc.constantFrom(...ROLES), { nil: undefined, freq: 3 }), {
        minLength: users * orgs,
        maxLength: users * orgs,
      }),
      repos: fc.array(
        fc.record({
          owner: fc.integer({ min: 0, max: users + orgs - 1 }),
          private: fc.boolean(),
          maker: fc.integer({ min: 0, max: users - 1 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      scopes: fc.array(
        fc.record({
          on: fc.constantFrom('owner', 'repo'),
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
  };
};

/** Writes a world beside those before it. */
async function settle(world: World) {
  const users = Array.from({ length: world.users }, () => account('user'));
  const orgs = Array.from({ length: world.orgs }, () => account('org'));
  const owners = [...users, ...orgs];
  const memberships = orgs.flatMap((org, orgAt) =>
    users.flatMap((user, userAt) => {
      const role = world.roles[orgAt * world.users + userAt];
      return role === undefined ? [] : [{ org_id: org.id, user_id: user.id, role, base_role: role, created_at: 0 }];
    }),
  );
  const repos: RepositoryRow[] = world.repos.map((repo) => {
    const id = ids();
    return {
      id,
      type: 'model',
      owner_id: owners[repo.owner]!.id,
      name: id,
      name_key: id,
      private: repo.private ? 1 : 0,
      created_by: users[repo.maker]!.id,
      created_at: 0,
      head_sha: null,
      sdk: null,
      gated: null,
      discussions_disabled: 0,
      discussion_count: 0,
      last_modified: 0,
    };
  });
  await opened.database.transaction(async (tx) => {
    await tx.insertInto('accounts').values(owners).execute();
    if (memberships.length > 0) await tx.insertInto('memberships').values(memberships).execute();
    await tx.insertInto('repositories').values(repos).execute();
  });
  const roleIn = (ownerId: string, userId: string) =>
    memberships.find((membership) => membership.org_id === ownerId && membership.user_id === userId)?.role;
  const scoped = world.scopes.map(({ on, at, permission }) => {
    const entities = on === 'owner' ? owners : repos;
    return { entity: { _id: entities[at % entities.length]!.id, type: on }, permissions: [permission] };
  });
  return { users, repos, roleIn, scoped };
}

const pair = (repoId: string, userId: string) => `${repoId} ${userId}`;

/** The pairs that SQL finds when it joins every repository with every user. */
async function readableOfColumns(repoIds: string[], userIds: string[]): Promise<Set<string>> {
  const rows = await opened.database.executor
    .selectFrom('repositories')
    .innerJoin('accounts', (join) => join.onTrue())
    .select(['repositories.id as repoId', 'accounts.id as userId'])
    .where('repositories.id', 'in', repoIds)
    .where('accounts.id', 'in', userIds)
    .where(
      readable(
        { private: sql.ref('repositories.private'), ownerId: sql.ref('repositories.owner_id') },
        sql.ref('accounts.id'),
      ),
    )
    .execute();
  return new Set(rows.map((row) => pair(row.repoId, row.userId)));
}

/** The users that SQL finds for the facts of one repository, as the matching of webhooks asks. */
async function readersOfFacts(repo: RepositoryRow, userIds: string[]): Promise<Set<string>> {
  const rows = await opened.database.executor
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', userIds)
    .where(
      readable(
        { private: sql`cast(${repo.private} as integer)`, ownerId: sql`cast(${repo.owner_id} as text)` },
        sql.ref('accounts.id'),
      ),
    )
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** The repositories that SQL finds for a caller, as an overview asks. */
async function readableByCaller(caller: Principal, repoIds: string[]): Promise<Set<string>> {
  const facts = {
    id: sql.ref<string>('repositories.id'),
    private: sql.ref<number>('repositories.private'),
    ownerId: sql.ref<string>('repositories.owner_id'),
  };
  const rows = await opened.database.executor
    .selectFrom('repositories')
    .select('id')
    .where('id', 'in', repoIds)
    .where(readableBy(facts, caller))
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
});

/** How often each answer came up: a comparison means something only where both did. */
const tally = () => ({ yes: 0, no: 0 });
const few = ({ yes, no }: { yes: number; no: number }) => Math.min(yes, no) < 50;

test('what SQL lets a user read is what the rules of access let them read, for every repository and user', async () => {
  const readings = tally();
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { users, repos, roleIn } = await settle(world);
      const userIds = users.map((user) => user.id);
      const ofColumns = await readableOfColumns(
        repos.map((repo) => repo.id),
        userIds,
      );
      for (const repo of repos) {
        const ofFacts = await readersOfFacts(repo, userIds);
        for (const user of users) {
          const role = repoRole(factsOf(repo), user.id, roleIn(repo.owner_id, user.id));
          const reads = role !== undefined;
          readings[reads ? 'yes' : 'no'] += 1;
          expect({
            columns: ofColumns.has(pair(repo.id, user.id)),
            facts: ofFacts.has(user.id),
            asked: await roleOf(opened.database.executor, holder(user, { role: 'write' }), factsOf(repo)),
          }).toEqual({ columns: reads, facts: reads, asked: role });
        }
      }
    }),
    { numRuns: 60, seed: 7780 },
  );
  expect(readings).not.toSatisfy(few);
});

test('what SQL lets a caller read is what the rules of access answer to the same caller and token', async () => {
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
            const reads = (await roleOf(opened.database.executor, caller, factsOf(repo))) !== undefined;
            readings[reads ? 'yes' : 'no'] += 1;
            expect({ token: token.role, found: found.has(repo.id) }).toEqual({ token: token.role, found: reads });
          }
        }
      }
    }),
    { numRuns: 60, seed: 7781 },
  );
  expect(readings).not.toSatisfy(few);
});
