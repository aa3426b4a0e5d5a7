import { parseLinks } from '@moonbase/client/pages';
import {
  createBranch,
  createRepo,
  listOrganizationRepos,
  listRepos,
  updateRepoSettings,
} from '@moonbase/client/repositories';
import { REPO_TYPES } from '@moonbase/contract/primitives';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { MINUTE } from './clock.ts';
import { type Connection, collect, person, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await hub.apply({
    users: ['alice', 'rita', 'nora', 'zoe'].map(person),
    organizations: [
      {
        name: 'acme',
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'rita', role: 'read' },
          { user: 'nora', role: 'no_access' },
        ],
      },
    ],
  });
  const alice = hub.as('alice');
  for (const type of REPO_TYPES) {
    await createRepo({ ...alice, type, repo: `alice/a-${type}`, private: type === 'dataset' });
    hub.clock.advance(MINUTE);
  }
  // The second oldest repository changed last.
  await createBranch({ ...alice, type: 'model', repo: 'alice/a-model', branch: 'new' });
  await createRepo({ ...alice, repo: 'acme/open' });
  await createRepo({ ...alice, repo: 'acme/closed', private: true });
});
afterAll(() => hub[Symbol.asyncDispose]());

type Filter = Partial<Parameters<typeof listRepos>[0]>;
const own = async (caller: Connection, filter: Filter = {}) =>
  (await collect(listRepos({ ...caller, ...filter }))).map(({ id }) => id.replace(/^alice\/a-/, ''));
const acmes = async (caller: Connection) =>
  (await collect(listOrganizationRepos({ ...caller, organization: 'acme' }))).map(({ id }) => id);

test('the repositories of the caller are listed with size and visibility, newest first', async () => {
  const items = await collect(listRepos(hub.as('alice')));
  expect(items.map(({ id, type }) => `${type} ${id}`)).toEqual(
    [...REPO_TYPES].reverse().map((type) => `${type} alice/a-${type}`),
  );
  expect(items.at(-1)).toEqual({
    id: 'alice/a-dataset',
    type: 'dataset',
    updatedAt: '2026-01-05T12:00:00.000Z',
    visibility: 'private',
    storage: 0,
    storagePercent: 0,
  });
  expect(items.at(-2)).toMatchObject({ updatedAt: '2026-01-05T12:05:00.000Z', visibility: 'public' });
  expect(await own(hub.as('zoe'))).toEqual([]);
});

test.each([
  [{ direction: 'asc' }, 'dataset model space bucket kernel'],
  [{ sort: 'updatedAt' }, 'model kernel bucket space dataset'],
  [{ sort: 'updatedAt', direction: 'asc' }, 'dataset space bucket kernel model'],
  [{ type: 'space' }, 'space'],
  [{ search: 'A-' }, 'kernel bucket space model dataset'],
  [{ search: 'DATA' }, 'dataset'],
  [{ search: 'el', type: 'kernel' }, 'kernel'],
  [{ search: '%' }, ''],
  [{ search: '_' }, ''],
  [{ search: '\\' }, ''],
  [{ search: 'alice' }, ''],
] as const)('%j lists %s', async (filter, expected) => {
  const names = expected.split(' ').filter(Boolean);
  expect(await own(hub.as('alice'), filter)).toEqual(names);
  expect(await own(hub.as('alice'), { ...filter, pageSize: 1 }), 'one to a page').toEqual(names);
});

test('a page links to the next one, with the same query', async () => {
  const first = await ask(hub.as('alice'), 'GET /api/settings/repositories?limit=3&search=a-');
  const { next = '' } = parseLinks(first.headers.get('link'));
  expect(Object.fromEntries(new URL(next).searchParams)).toMatchObject({ limit: '3', search: 'a-' });
  const second = await ask(hub.as('alice'), `GET ${next.slice(hub.url.length)}` as 'GET /');
  expect(await second.json()).toHaveLength(2);
  expect(second.headers.get('link')).toBeNull();
});

test.each(['limit=0', 'limit=x', 'sort=name', 'direction=up', 'type=models', 'cursor=AAAA', 'cursor=MS4x'])(
  'an invalid query is refused: %s',
  async (query) => {
    expect((await ask(hub.as('alice'), `GET /api/settings/repositories?${query}`)).status).toBe(400);
  },
);

test('a limit above the maximum returns a full page', async () => {
  const answer = await ask(hub.as('alice'), `GET /api/settings/repositories?limit=${Number.MAX_SAFE_INTEGER}`);
  expect(await answer.json()).toHaveLength(REPO_TYPES.length);
});

describe('the list of an organization', () => {
  test('has what the caller may see', async () => {
    expect(await acmes(hub.as('alice'))).toEqual(['acme/closed', 'acme/open']);
    expect(await acmes(hub.as('rita'))).toEqual(['acme/closed', 'acme/open']);
    for (const caller of [hub.as('nora'), hub.as('zoe'), hub.admin]) expect(await acmes(caller)).toEqual(['acme/open']);
  });

  test.each(['none', 'alice'])('is not found for an unknown organization: %s', async (name) => {
    const answer = await ask(hub.as('alice'), `GET /api/organizations/${name}/settings/repositories`);
    expect(answer.status).toBe(404);
  });
});

test('a fine-grained token lists only repositories that it covers', async () => {
  const token = { name: 'fine', role: 'fineGrained' as const, token: 'hf_fineGrainedList' };
  await hub.apply({ users: [{ name: 'alice', tokens: [{ ...token, scopes: { scoped: [], global: [] } }] }] });
  expect(await own(hub.with(token.token))).toEqual(['kernel', 'bucket', 'space', 'model']);
  expect(await acmes(hub.with(token.token))).toEqual(['acme/open']);
});

test('a bucket returns its settings', async () => {
  const settings = { private: true };
  expect(await updateRepoSettings({ ...hub.as('alice'), type: 'bucket', repo: 'alice/a-bucket', settings })).toEqual({
    private: true,
    cdnRegions: [],
  });
});
