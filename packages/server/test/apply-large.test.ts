import { applyHub } from '@moonbase/client/admin';
import { whoAmI } from '@moonbase/client/profiles';
import { expect, test } from 'vitest';
import { createIds } from '../src/platform/ids.ts';
import { ask } from './ask.ts';
import { createTestClock } from './clock.ts';
import { startHub, type TestHub, tokenOf } from './harness.ts';

const USERS = 260;
const names = Array.from({ length: USERS }, (_, at) => `user-${at}`);
const members = names.map((user) => ({ user, role: 'write' as const }));
const LARGE = {
  users: names.map((name) => ({ name, tokens: [{ name: 'made', role: 'write' as const }] })),
  organizations: [{ name: 'acme', members }],
  repos: names.slice(0, 50).map((name) => ({ name: `${name}/notes` })),
};
const apply = (hub: TestHub, document: Parameters<TestHub['apply']>[0]) => applyHub({ ...hub.admin, document });
const count = async (hub: TestHub, table: 'accounts' | 'tokens' | 'memberships' | 'repositories') => {
  const { rows } = await hub.database.read
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .execute()
    .then((found) => ({ rows: found }));
  return rows[0]?.count;
};

test('a large document is applied in steps and reports like a small one', async () => {
  await using hub = await startHub();
  const report = await apply(hub, LARGE);
  expect(report).toMatchObject({
    users: { created: USERS },
    tokens: { created: USERS },
    organizations: { created: 1 },
    members: { created: USERS + 1 },
    repos: { created: 50 },
    warnings: [],
  });
  expect(report.newTokens.map(({ user }) => user)).toEqual(names);
  const { token = '' } = report.newTokens[199] ?? {};
  expect(await whoAmI(hub.with(token))).toMatchObject({
    name: 'user-199',
    orgs: [{ name: 'acme', roleInOrg: 'write' }],
  });
  const again = await apply(hub, LARGE);
  expect(again).toMatchObject({
    users: { created: 0, unchanged: USERS },
    tokens: { created: 0, unchanged: USERS },
    members: { created: 0, unchanged: USERS },
    repos: { created: 0, unchanged: 50 },
    newTokens: [],
  });
});

test('an error at the end of a large document changes nothing, and all errors are listed', async () => {
  await using hub = await startHub();
  await hub.people('alice');
  await apply(hub, { organizations: [{ name: 'moon', members: [{ user: 'alice', role: 'admin' }] }] });
  const before = await count(hub, 'accounts');
  const document = {
    users: [
      ...LARGE.users,
      { name: 'a--b' },
      { name: 'moon' },
      { name: 'user-1', tokens: [{ name: 'made', token: tokenOf('alice') }] },
      { name: 'alice', state: 'absent' },
    ],
    organizations: [{ name: 'acme', members: [...members, { user: 'nobody' }] }, { name: 'alice' }],
    repos: [...LARGE.repos, { name: 'nobody/letters' }, { name: 'user-2/a..b' }],
    articles: [
      { slug: 'one', author: 'user-1', canonical: true },
      { slug: 'one', author: 'user-2', canonical: true },
    ],
  };
  const answer = await ask(hub.admin, 'PUT /api/admin/hub', document);
  const { issues } = (await answer.json()) as { issues: { path: string; message: string }[] };
  expect([answer.status, issues.map(({ path, message }) => `${path}: ${message}`)]).toEqual([
    400,
    [
      `body.users.${USERS}.name: must be 2 to 42 letters, digits and single dashes inside`,
      `body.users.${USERS + 1}.name: is the name of an organization`,
      `body.users.${USERS + 2}.tokens.0.token: is in use as another access token`,
      `body.organizations.0.members.${USERS}.user: there is no user named nobody`,
      'body.organizations.1.name: is the name of a user',
      'body.repos.50.name: there is no user or organization named nobody',
      'body.repos.51.name: must not contain ..',
      'body.articles.1.canonical: another canonical article has this slug',
      `body.users.${USERS + 3}: is the only admin of moon`,
    ],
  ]);
  expect(await count(hub, 'accounts')).toBe(before);
});

test('applying the document again completes an interrupted one', async () => {
  const clock = createTestClock();
  const real = createIds(clock);
  let left = Number.POSITIVE_INFINITY;
  const ids = () => {
    left -= 1;
    if (left === 0) throw new Error('The process dies');
    return real();
  };
  await using hub = await startHub({}, { clock, ids });
  left = 800 + 2 * USERS;
  const broken = await ask(hub.admin, 'PUT /api/admin/hub', LARGE);
  expect(broken.status).toBe(500);
  const made = (await count(hub, 'memberships')) ?? 0;
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(USERS);
  const report = await apply(hub, LARGE);
  expect(report.users).toMatchObject({ created: 0, unchanged: USERS });
  expect(report.members).toMatchObject({ created: USERS + 1 - made, unchanged: made });
  expect(report.repos).toMatchObject({ created: 50 });
  expect([await count(hub, 'memberships'), await count(hub, 'repositories')]).toEqual([USERS + 1, 50]);
});

test('the successor of the last admin may be anywhere in a long list', async () => {
  await using hub = await startHub();
  await hub.people('alice', 'bob');
  await apply(hub, {
    users: LARGE.users,
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
  });
  const report = await apply(hub, {
    organizations: [
      { name: 'acme', members: [{ user: 'alice', role: 'read' }, ...members, { user: 'bob', role: 'admin' }] },
    ],
  });
  expect(report.members).toEqual({ created: USERS + 1, updated: 1, unchanged: 0, removed: 0 });
  expect((await whoAmI(hub.as('bob'))).orgs).toMatchObject([{ name: 'acme', roleInOrg: 'admin' }]);
});

test('deleting a large organization deletes its repositories, with an event each', async () => {
  await using hub = await startHub();
  await apply(hub, LARGE);
  await apply(hub, { repos: names.slice(0, 45).map((name) => ({ name: `acme/${name}` })) });
  const report = await apply(hub, { organizations: [{ name: 'acme', state: 'absent' }] });
  expect(report.organizations).toMatchObject({ removed: 1 });
  expect(await count(hub, 'repositories')).toBe(50);
  const { rows } = await hub.database.read
    .selectFrom('events')
    .select('data')
    .where('topic', '=', 'repo')
    .execute()
    .then((all) => ({ rows: all.filter(({ data }) => data.includes('"action":"delete"')) }));
  expect(rows).toHaveLength(45);
});
