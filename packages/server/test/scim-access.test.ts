import { createAccessToken } from '@moonbase/client/access-tokens';
import type { Method } from '@moonbase/contract/route';
import { scimLinkRoutes } from '@moonbase/contract/scim/links';
import { scim, scimProvisioning } from '@moonbase/contract/scim/resources';
import { SCIM_ERROR } from '@moonbase/contract/scim/shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { person, startHub, type TestHub } from './harness.ts';
import { newUser, PATCH } from './scim-fixture.ts';

const ROLES = ['admin', 'write', 'contributor', 'read', 'no_access'] as const;
const PLANS = ['free', 'team', 'enterprise', 'plus'] as const;

let hub: TestHub;
const tokens: Record<string, string> = {};
const ids: Record<string, string> = {};
beforeAll(async () => {
  hub = await startHub();
  const members = ROLES.map((role) => ({ user: role.replace('_', '-'), role }));
  await hub.apply({
    users: [...members.map(({ user }) => person(user)), person('stranger'), person('guest')],
    organizations: PLANS.map((plan) => ({ name: `on-${plan}`, plan, members })),
  });
  await hub.apply({ organizations: PLANS.map((plan) => ({ name: `on-${plan}`, members: [{ user: 'guest' }] })) });
  for (const row of await hub.database.read.selectFrom('accounts').select(['id', 'name']).execute())
    ids[row.name] = row.id;
  const entity = { _id: ids['on-plus'] ?? '', type: 'org' as const, name: 'on-plus' };
  const scoped = (permission: string) => ({
    role: 'fineGrained' as const,
    fineGrained: { canReadGatedRepos: false, global: [], scoped: [{ entity, permissions: [permission] }] },
  });
  const make = async (name: string, given: object) => {
    const { token } = await createAccessToken({ ...hub.as('admin'), displayName: name, ...given } as never);
    tokens[name] = token;
  };
  await make('read', { role: 'read' });
  await make('org.write', scoped('org.write'));
  await make('org.read', scoped('org.read'));
  await make('elsewhere', {
    role: 'fineGrained',
    fineGrained: {
      canReadGatedRepos: false,
      global: [],
      scoped: [{ entity: { ...entity, _id: ids['on-team'], name: 'on-team' }, permissions: ['org.write'] }],
    },
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

const routes = [...Object.values(scim), ...Object.values(scimProvisioning), ...scimLinkRoutes];
const bodyOf = (id: string) =>
  /Patch|update/.test(id) ? PATCH({ op: 'replace', path: 'active', value: true }) : newUser('x');

/** Calls every route up to its permission check. */
async function knock(token: string | undefined, organization: string): Promise<number[]> {
  const statuses = new Set<number>();
  for (const { id, method, path } of routes) {
    const url = path.replace('{name}', organization).replace(/\{\w+\}/g, '0'.repeat(24));
    const body = ['POST', 'PUT', 'PATCH'].includes(method) && !id.includes('Link') ? bodyOf(id) : undefined;
    const linkBody = id.includes('Link') && body === undefined && method !== 'GET' && method !== 'DELETE';
    const given = linkBody ? { groupId: '0'.repeat(24), role: 'read' } : body;
    const answer = await ask(
      { hubUrl: hub.url, ...(token && { accessToken: token }) },
      `${method as Method} ${url}`,
      given,
    );
    statuses.add(answer.status);
    if (answer.status >= 400) {
      expect(answer.headers.get('content-type')).toContain('application/scim+json');
      expect(await answer.json()).toMatchObject({ schemas: [SCIM_ERROR], status: String(answer.status) });
    }
  }
  return [...statuses];
}

test('requests without a token or with an unknown one are refused', async () => {
  expect(await knock(undefined, 'on-plus')).toEqual([401]);
  expect(await knock('hf_unknown', 'on-plus')).toEqual([401]);
});

test.each(PLANS.flatMap((plan) => [...ROLES, 'stranger'].map((role) => [role, plan] as const)))(
  '%s on the plan %s',
  async (role, plan) => {
    const { accessToken } = hub.as(role.replace('_', '-'));
    const statuses = await knock(accessToken, `on-${plan}`);
    if (role !== 'admin') expect(statuses).toEqual([403]);
    else if (plan !== 'plus') expect(statuses).toEqual([402]);
    else expect(statuses.filter((status) => [401, 402, 403].includes(status) || status >= 500)).toEqual([]);
  },
);

test.each([
  ['read', [403]],
  ['org.read', [403]],
  ['elsewhere', [403]],
] as const)('an owner with a token of the kind %s is refused', async (kind, expected) => {
  expect(await knock(tokens[kind], 'on-plus')).toEqual(expected);
});

test('an owner with a token for this organization only has access', async () => {
  expect((await knock(tokens['org.write'], 'on-plus')).filter((status) => status === 403)).toEqual([]);
});

test('an organization that does not exist, or is a user, is not found', async () => {
  const { accessToken } = hub.as('admin');
  expect(await knock(accessToken, 'nowhere')).toEqual([404]);
  expect(await knock(accessToken, 'stranger')).toEqual([404]);
});
