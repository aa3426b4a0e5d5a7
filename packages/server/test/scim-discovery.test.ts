import {
  getScimResourceType,
  getScimSchema,
  getScimServiceProviderConfig,
  listScimResourceTypes,
  listScimSchemas,
} from '@moonbase/client/scim-discovery';
import { PLANS } from '@moonbase/contract/primitives';
import type { Method } from '@moonbase/contract/route';
import { scimDiscoveryRoutes } from '@moonbase/contract/scim/discovery';
import { GROUP_SCHEMA, LIST_RESPONSE, SCIM_ERROR, USER_SCHEMA } from '@moonbase/contract/scim/shapes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asked, ask } from './ask.ts';
import { type Connection, person, startHub, type TestHub } from './harness.ts';

const SCIM = 'application/scim+json';
const acme = { name: 'acme' };
const tree = '/api/organizations/acme/scim/v2';

let hub: TestHub;
let ada: Connection;
/** More tokens of ada. */
const tokens = { read: 'hf_adaForReading0', change: 'hf_adaForAChange0', otherwise: 'hf_adaForOthers00' };
beforeAll(async () => {
  hub = await startHub();
  ada = hub.as('ada');
  const members = [
    { user: 'ada', role: 'admin' as const },
    { user: 'bob', role: 'write' as const },
  ];
  await hub.apply({
    users: ['ada', 'bob', 'eve'].map(person),
    organizations: [
      { name: 'acme', plan: 'plus', members },
      ...PLANS.map((plan) => ({ name: `on-${plan}`, plan, members })),
    ],
  });
  const { id } = await hub.database.read
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', 'acme')
    .executeTakeFirstOrThrow();
  const fineGrained = (name: string, permission: 'org.read' | 'org.write', token: string) => ({
    name,
    role: 'fineGrained' as const,
    token,
    scopes: { global: [], scoped: [{ entity: { _id: id, type: 'org' as const }, permissions: [permission] }] },
  });
  await hub.apply({
    users: [
      {
        name: 'ada',
        tokens: [
          { name: 'reading', role: 'read', token: tokens.read },
          fineGrained('change', 'org.write', tokens.change),
          fineGrained('others', 'org.read', tokens.otherwise),
        ],
      },
    ],
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

const typeOf = (answer: Response) => answer.headers.get('content-type');
const asScim = { accept: SCIM };

/** Returns a refusal in the form of RFC 7644, 3.12. */
async function refusal(answer: Response): Promise<{ status: number; scimType?: string; detail: string }> {
  const body = (await answer.json()) as { schemas: string[]; status: string; scimType?: string; detail: string };
  expect(typeOf(answer)).toBe('application/scim+json; charset=utf-8');
  expect(body).toMatchObject({ schemas: [SCIM_ERROR], status: String(answer.status) });
  const { schemas: _, status: __, ...rest } = body;
  return { status: answer.status, ...rest };
}

describe('an owner learns', () => {
  test('the capabilities of the hub', async () => {
    expect(await getScimServiceProviderConfig({ ...ada, ...acme })).toMatchObject({
      documentationUri: `${hub.url}/docs`,
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 1000 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
      meta: { resourceType: 'ServiceProviderConfig', location: `${hub.url}${tree}/ServiceProviderConfig` },
    });
  });

  test('the resource types, each also at its own location', async () => {
    const types = await listScimResourceTypes({ ...ada, ...acme });
    expect(types.map(({ id, endpoint, schema }) => ({ id, endpoint, schema }))).toEqual([
      { id: 'User', endpoint: '/Users', schema: USER_SCHEMA },
      { id: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA },
    ]);
    for (const type of types) {
      expect(await getScimResourceType({ ...ada, ...acme, resourceTypeId: type.id })).toEqual(type);
      expect(type.meta.location).toBe(`${hub.url}${tree}/ResourceTypes/${type.id}`);
    }
  });

  test('the schemas, each also at its own location', async () => {
    const schemas = await listScimSchemas({ ...ada, ...acme });
    expect(schemas.map(({ id }) => id)).toEqual([USER_SCHEMA, GROUP_SCHEMA]);
    for (const schema of schemas) {
      expect(await getScimSchema({ ...ada, ...acme, schemaId: schema.id })).toEqual(schema);
      const answer = await ask(ada, `GET ${new URL(schema.meta.location).pathname}`, undefined, asScim);
      expect(await answer.json()).toEqual(schema);
    }
  });

  test('every attribute with all characteristics that RFC 7643 requires', async () => {
    interface Definition {
      name: string;
      type: string;
      subAttributes?: Definition[];
    }
    const [user, group] = await listScimSchemas({ ...ada, ...acme });
    const flat = (definitions: unknown[], prefix = ''): [string, Definition][] =>
      (definitions as Definition[]).flatMap((each) => [
        [prefix + each.name, each],
        ...flat(each.subAttributes ?? [], `${each.name}.`),
      ]);
    const names = (definitions: unknown[] = []) => flat(definitions).map(([name]) => name);
    expect(names(user?.attributes)).toEqual([
      ...['userName', 'name', 'name.formatted', 'name.familyName', 'name.givenName', 'displayName'],
      ...['emails', 'emails.value', 'emails.primary', 'active'],
    ]);
    expect(names(group?.attributes)).toEqual(['displayName', 'members', 'members.value', 'members.$ref']);
    for (const [, definition] of flat([...(user?.attributes ?? []), ...(group?.attributes ?? [])])) {
      expect(definition).toEqual({
        name: expect.any(String),
        type: expect.stringMatching(/^(string|boolean|reference|complex)$/),
        multiValued: expect.any(Boolean),
        description: expect.stringMatching(/\.$/),
        required: expect.any(Boolean),
        mutability: expect.stringMatching(/^(readWrite|readOnly|immutable)$/),
        returned: 'default',
        uniqueness: expect.stringMatching(/^(none|server)$/),
        ...(definition.type === 'string' && { caseExact: expect.any(Boolean) }),
        ...(definition.type === 'reference' && { referenceTypes: ['User'] }),
        ...(definition.subAttributes && { subAttributes: expect.any(Array) }),
      });
    }
  });
});

describe('lists are', () => {
  test.each([
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['application/json, application/scim+json;q=0', false],
    [SCIM, true],
    ['Application/SCIM+JSON; charset=utf-8', true],
    ['application/scim+json, application/json;q=0.9, */*;q=0.1', true],
  ])('with Accept: %s of RFC 7644: %s', async (accept, isListResponse) => {
    for (const name of ['Schemas', 'ResourceTypes']) {
      const answer = await ask(ada, `GET ${tree}/${name}`, undefined, { ...(accept !== undefined && { accept }) });
      const body: unknown = await answer.json();
      expect(answer.headers.get('vary')).toContain('Accept');
      if (!isListResponse) {
        expect(typeOf(answer)).toBe('application/json; charset=utf-8');
        expect(body).toHaveLength(2);
      } else {
        expect(typeOf(answer)).toBe('application/scim+json; charset=utf-8');
        const list = { schemas: [LIST_RESPONSE], totalResults: 2, itemsPerPage: 2, startIndex: 1 };
        expect(body).toMatchObject({ ...list, Resources: [{ name: 'User' }, { name: 'Group' }] });
      }
    }
  });
});

describe('refused in the form of SCIM', () => {
  const every = scimDiscoveryRoutes.map(({ path }) =>
    path.replace('{schemaId}', USER_SCHEMA).replace('{resourceTypeId}', 'User'),
  );

  /** Every caller except an owner with a token that may change an organization on the top plan. */
  test.each<[who: string, organization: string, caller: (hub: TestHub) => Asked, status: number]>([
    ['nobody', 'acme', ({ url }) => ({ hubUrl: url }), 401],
    ['an unknown token', 'acme', (at) => at.with('hf_unknown'), 401],
    ['a stranger', 'acme', (at) => at.as('eve'), 403],
    ['a member who is not an owner', 'acme', (at) => at.as('bob'), 403],
    ['an owner with a token for reading', 'acme', (at) => at.with(tokens.read), 403],
    ['an owner with a token for other things', 'acme', (at) => at.with(tokens.otherwise), 403],
    ['an owner on the plan free', 'on-free', (at) => at.as('ada'), 402],
    ['an owner on the plan team', 'on-team', (at) => at.as('ada'), 402],
    ['an owner on the plan enterprise', 'on-enterprise', (at) => at.as('ada'), 402],
    ['a member, whatever the plan', 'on-free', (at) => at.as('bob'), 403],
    ['a missing organization', 'nowhere', (at) => at.as('ada'), 404],
    ['a user in place of an organization', 'bob', (at) => at.as('ada'), 404],
  ])('%s of %s', async (_who, organization, caller, status) => {
    for (const path of every) {
      const answer = await ask(caller(hub), `GET ${path.replace('{name}', organization)}` as `GET ${string}`);
      expect(await refusal(answer)).toEqual({ status, detail: expect.stringMatching(/\S \S/) });
    }
  });

  test('only owners whose token covers the organization have access', async () => {
    const token = hub.with(tokens.change);
    for (const path of every) {
      const answer = await ask(token, `GET ${path.replace('{name}', 'ACME')}` as `GET ${string}`);
      expect(answer.status).toBe(200);
    }
  });

  test('other methods', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[])
      for (const path of every) {
        const answer = await ask(
          ada,
          `${method} ${path.replace('{name}', 'acme')}`,
          method === 'DELETE' ? undefined : {},
        );
        expect(answer.headers.get('allow')).toBe('GET, HEAD');
        expect((await refusal(answer)).status).toBe(405);
      }
  });

  test('a filter', async () => {
    for (const path of every) {
      const answer = await ask(ada, `GET ${path.replace('{name}', 'acme')}?filter=name+eq+%22User%22`);
      expect((await refusal(answer)).status).toBe(403);
    }
  });

  test.each([
    `${tree}/Schemas/urn:none`,
    `${tree}/ResourceTypes/Users`,
    `${tree}/Nothing`,
    `${tree}/Bulk`,
    '/api/organizations/acme/scim',
    '/api/organizations/acme/scim/v3/Users',
    '/api/organizations/acme/scim-provisioning/v2/Schemas',
  ])('a missing path: %s', async (path) => {
    expect((await refusal(await ask(ada, `GET ${path}`))).status).toBe(404);
  });

  test('a URL that cannot be read', async () => {
    expect((await refusal(await fetch(`${hub.url}${tree}/%zz`))).status).toBe(400);
    expect((await refusal(await fetch(`${hub.url}${tree}/Schemas/%00`))).status).toBe(400);
  });

  test('no other paths: elsewhere errors and media types are unchanged', async () => {
    const answer = await ask(ada, 'GET /api/organizations/acme/scimitar');
    expect(typeOf(answer)).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({ error: expect.any(String) });
    for (const type of [SCIM, SCIM.toUpperCase()]) {
      const other = await ask(ada, 'POST /api/organizations/acme/resource-groups', '{}', { 'content-type': type });
      expect(other.status).toBe(415);
      expect(await other.json()).toEqual({ error: expect.stringContaining('application/json') });
    }
  });
});

describe('bodies below these paths', () => {
  const send = (type: string, body: string, path = 'Nothing') =>
    ask(ada, `POST /api/organizations/acme/scim/v2/${path}`, body, { 'content-type': type });

  test.each([
    'application/scim+json',
    'application/scim+json; charset=utf-8',
    'application/json',
    'APPLICATION/SCIM+JSON',
  ])('may be %s', async (type) => {
    expect((await refusal(await send(type, '{}'))).status).toBe(404);
  });

  test('are refused in the form of SCIM if they cannot be read', async () => {
    expect(await refusal(await send(SCIM, '{', 'Users'))).toMatchObject({ status: 400, scimType: 'invalidSyntax' });
    expect(await refusal(await send(SCIM, `"${'x'.repeat(1024 * 1024)}"`, 'Users'))).toMatchObject({ status: 413 });
  });
});
