import { expect, test } from 'vitest';
import { createAuditLog } from '../src/audit-log/index.ts';
import { createRender } from '../src/avatars/render.ts';
import { createAvatars } from '../src/avatars/service.ts';
import type { Caller } from '../src/platform/http/authenticate.ts';
import type { HubError } from '../src/platform/http/errors.ts';
import { createIds } from '../src/platform/ids.ts';
import { createTestClock } from './clock.ts';
import { openTestDatabase } from './open-test-database.ts';
import { blackPng, jpegOfScans, noise } from './pictures.ts';

test('a picture that would take long to decode is refused', async () => {
  const render = createRender();
  await expect(render(jpegOfScans())).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/^This picture takes too long to read/),
  });
  const progressive = await noise(64).jpeg({ progressive: true }).toBuffer();
  expect((await render(progressive)).subarray(8, 12).toString()).toBe('WEBP');
});

test('many pictures are processed one after the other, and too many are refused', async () => {
  const render = createRender();
  const answers = await Promise.allSettled(Array.from({ length: 12 }, () => render(blackPng(1000, 1000))));
  const refused = answers.filter((answer) => answer.status === 'rejected').map((answer) => answer.reason as HubError);
  expect(refused.map(({ status, extra }) => [status, extra.headers])).toEqual([
    [503, { 'retry-after': '5' }],
    [503, { 'retry-after': '5' }],
    [503, { 'retry-after': '5' }],
  ]);
  expect((await render(blackPng(8, 8))).length).toBeGreaterThan(0);
});

test('a user who is no longer an admin when the picture is ready cannot change it', async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const account = { fullname: '', avatar_url: null, created_at: 0, email: null, pro: 0, site_admin: 0, details: null };
  await database.transaction(async (tx) => {
    const accounts = [
      { ...account, id: 'a', kind: 'user' as const, name: 'alice', name_key: 'alice', plan: 'free' as const },
      { ...account, id: 'o', kind: 'org' as const, name: 'acme', name_key: 'acme', plan: 'free' as const },
    ];
    await tx.insertInto('accounts').values(accounts).execute();
    await tx
      .insertInto('memberships')
      .values({ org_id: 'o', user_id: 'a', role: 'admin', base_role: 'admin', created_at: 0 })
      .execute();
  });
  const render = async () => {
    await database.transaction((tx) =>
      tx.updateTable('memberships').set({ role: 'write', base_role: 'write' }).execute(),
    );
    return Buffer.from('a picture');
  };
  const clock = createTestClock();
  const audit = createAuditLog({ clock, ids: createIds(clock) });
  const accounts = { update: async () => {} };
  const avatars = createAvatars({ database, clock, accounts, audit, render });
  const principal = { userId: 'a', userName: 'alice', siteAdmin: false, token: { id: 't', role: 'write' as const } };
  const caller = { principal, baseUrl: 'http://hub.test' } as Caller;
  await expect(avatars.set(caller, 'org', 'acme', blackPng(8, 8))).rejects.toMatchObject({ status: 403 });
  expect(await database.read.selectFrom('avatars').selectAll().execute()).toEqual([]);
  expect(await avatars.of(caller, 'org', 'acme')).toEqual({ avatarUrl: 'http://hub.test/avatars/o.svg' });
});
