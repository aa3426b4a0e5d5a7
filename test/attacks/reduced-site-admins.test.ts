import { createAccessToken } from '@moonbase/client/access-tokens';
import { createOrganization, updateOrganization } from '@moonbase/client/organizations';
import { whoAmI } from '@moonbase/client/profiles';
import { PERMISSIONS } from '@moonbase/contract/accounts/access-tokens';
import { allRoutes } from '@moonbase/contract/routes';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { type Connection, person, startHub, type TestHub } from '../../packages/server/test/harness.ts';

/** A site administrator has a token with reduced rights: whoever finds the token is not a site administrator. */

let hub: TestHub;
let fine: Connection;
let read: Connection;

beforeEach(async () => {
  hub = await startHub();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.apply({
    users: [{ ...person('root'), admin: true }, person('bob')],
    organizations: [{ name: 'acme', members: [{ user: 'root', role: 'admin' }] }],
  });
  const root = hub.as('root');
  const { id, orgs } = await whoAmI(root);
  const scoped = [id, orgs[0]?.id ?? ''].map((_id) => ({
    entity: { _id, type: 'user' as const },
    permissions: [...PERMISSIONS],
  }));
  const every = { displayName: 'every scope', role: 'fineGrained', fineGrained: { scoped } } as const;
  fine = hub.with((await createAccessToken({ ...root, ...every })).token);
  read = hub.with((await createAccessToken({ ...root, displayName: 'read', role: 'read' })).token);
});

const status = (done: Promise<unknown>) =>
  done.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

test('a reduced token can neither change the plan of an organization nor assign it a domain', async () => {
  const domains = { name: 'acme', change: { verifiedDomains: ['victim.test'] } };
  for (const caller of [fine, read]) {
    expect(await status(createOrganization({ ...caller, name: 'free-lunch', plan: 'plus' }))).toBe(403);
    expect(await status(updateOrganization({ ...caller, ...domains }))).toBe(403);
  }
  expect(await status(createOrganization({ ...fine, name: 'honest' }))).toBe(200);
  expect(await status(updateOrganization({ ...fine, name: 'acme', change: { details: 'ours' } }))).toBe(200);
  expect(await status(updateOrganization({ ...hub.as('root'), ...domains }))).toBe(200);
  expect(await status(createOrganization({ ...hub.as('root'), name: 'paid', plan: 'plus' }))).toBe(200);
});

test('a reduced token has no power over other users, and cannot call routes for site administrators', async () => {
  for (const caller of [fine, read]) expect((await ask(caller, 'DELETE /api/users/bob')).status).toBe(403);
  const guarded = allRoutes.filter(({ authority }) => authority === 'site-admin' || authority === 'site-admin.read');
  expect(guarded.length).toBeGreaterThan(8);
  for (const { method, path, authority } of guarded) {
    const at = `${method} ${path
      .replace('{username}', 'bob')
      .replace('{repoType}', 'models')
      .replace(/\{\w+\}/g, 'f'.repeat(24))}` as const;
    const given = { purpose: 'reset', name: 'somebody-new', dryRun: true, storageGib: 1 };
    const body = method === 'GET' || method === 'DELETE' ? undefined : given;
    expect([at, (await ask(fine, at, body)).status]).toEqual([at, 403]);
    if (authority === 'site-admin') expect([at, (await ask(read, at, body)).status]).toEqual([at, 403]);
  }
});
