import { duplicateRepo } from '@moonbase/client/content';
import { updateOrganization } from '@moonbase/client/organizations';
import { createBucket, createRepo, getBucket, getRepo, listBuckets } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { collect, person, startHub } from './harness.ts';

async function fixture() {
  const hub = await startHub();
  const members = [
    { user: 'ada', role: 'admin' },
    { user: 'bob', role: 'write' },
  ] as const;
  await hub.apply({
    users: [person('ada'), person('bob'), person('zoe')],
    organizations: [{ name: 'acme', plan: 'enterprise', members: [...members] }],
  });
  const [ada, bob, zoe] = [hub.as('ada'), hub.as('bob'), hub.as('zoe')];
  const isPrivate = async (repo: string) => (await getRepo({ ...ada, type: 'model', repo })).private;
  return { hub, ada, bob, zoe, isPrivate, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

test('an organization decides how visible new repositories are whose makers do not say', async () => {
  await using at = await fixture();
  const { hub, ada, bob } = at;
  const change = { defaultRepoVisibility: 'private' as const };
  await expect(updateOrganization({ ...bob, name: 'acme', change })).rejects.toMatchObject({ status: 403 });
  await createRepo({ ...bob, repo: 'acme/before' });
  expect(await updateOrganization({ ...ada, name: 'acme', change })).toMatchObject(change);
  await createRepo({ ...bob, repo: 'acme/plain' });
  await createRepo({ ...bob, repo: 'acme/said', private: false });
  await createRepo({ ...bob, repo: 'acme/shown', visibility: 'public' });
  await createRepo({ ...bob, repo: 'acme/filled', files: [{ path: 'a.txt', content: 'a' }] });
  await createBucket({ ...bob, repo: 'acme/pail' });
  await duplicateRepo({ ...bob, type: 'model', repo: 'acme/before', to: 'acme/copy' });
  await createRepo({ ...bob, repo: 'bob/own' });
  await hub.apply({ repos: [{ name: 'acme/applied' }] });
  for (const [repo, wanted] of [
    ['acme/before', false],
    ['acme/plain', true],
    ['acme/said', false],
    ['acme/shown', false],
    ['acme/filled', true],
    ['acme/copy', true],
    ['bob/own', false],
    ['acme/applied', true],
  ] as const)
    expect([repo, await at.isPrivate(repo)]).toEqual([repo, wanted]);
  expect(await getBucket({ ...ada, repo: 'acme/pail' })).toMatchObject({ private: true });
});

test('a document sets the default visibility, and the log of the organization has each change once', async () => {
  await using at = await fixture();
  const document = { organizations: [{ name: 'acme', defaultRepoVisibility: 'private' as const }] };
  for (const counts of [{ updated: 1 }, { unchanged: 1 }])
    expect(await at.hub.apply(document)).toMatchObject({ organizations: counts });
  await createRepo({ ...at.bob, repo: 'acme/plain' });
  expect(await at.isPrivate('acme/plain')).toBe(true);
  await updateOrganization({ ...at.ada, name: 'acme', change: { defaultRepoVisibility: 'public' } });
  const log = await ask(at.ada, 'GET /api/organizations/acme/audit-log/export?q=type%3Aorg.update_settings');
  const events = (await log.json()) as { data?: object; metadata?: object }[];
  expect(events.map((event) => JSON.stringify(event).includes('defaultRepoVisibility'))).toEqual([true, true]);
});

test('buckets are made and listed under me, with the real namespace in their addresses', async () => {
  await using at = await fixture();
  const { hub, ada, zoe } = at;
  expect(await createBucket({ ...zoe, repo: 'me/pail' })).toMatchObject({
    name: 'zoe/pail',
    url: `${hub.url}/buckets/zoe/pail`,
  });
  await createBucket({ ...zoe, repo: 'zoe/secret', private: true });
  await createBucket({ ...zoe, repo: 'zoe/other' });
  const again = await ask(zoe, 'POST /api/buckets/me/pail', {});
  expect([again.status, await again.json()]).toMatchObject([409, { url: `${hub.url}/buckets/zoe/pail` }]);
  const names = async (given: Parameters<typeof listBuckets>[0]) =>
    (await collect(listBuckets(given))).map(({ id }) => id);
  expect(await names({ ...zoe, namespace: 'me' })).toEqual(['zoe/other', 'zoe/secret', 'zoe/pail']);
  expect(await names({ ...zoe, namespace: 'zoe', pageSize: 1 })).toEqual(['zoe/other', 'zoe/secret', 'zoe/pail']);
  expect(await names({ ...zoe, namespace: 'zoe', search: 'PA' })).toEqual(['zoe/pail']);
  expect(await names({ ...ada, namespace: 'zoe' })).toEqual(['zoe/other', 'zoe/pail']);
  const stranger = (path: string) => ask({ hubUrl: hub.url }, `GET /api/buckets/${path}`);
  expect((await (await stranger('zoe')).json()) as object[]).toHaveLength(2);
  expect([(await stranger('me')).status, (await stranger('nobody')).status]).toEqual([401, 404]);
  expect((await ask({ hubUrl: hub.url }, 'POST /api/buckets/me/pail', {})).status).toBe(401);
  expect((await ask(zoe, 'GET /api/buckets/me/pail')).status).toBe(404);
});
