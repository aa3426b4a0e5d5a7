import { listUsers } from '@moonbase/client/admin';
import { expect, test } from 'vitest';
import { collect, startHub } from './harness.ts';

test('site administrators list all users, newest first, over all pages; nobody else does', async () => {
  await using hub = await startHub();
  const names = Array.from({ length: 12 }, (_, at) => `user-${at}`);
  await hub.people(...names);
  await hub.apply({
    users: [{ name: 'ada', fullname: 'Ada L', email: 'ada@example.com', pro: true }],
    organizations: [{ name: 'acme' }],
  });
  const users = await collect(listUsers({ ...hub.admin, pageSize: 10 }));
  expect(users.map(({ name }) => name)).toEqual(['ada', ...names.toReversed(), 'admin']);
  expect(users[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'ada',
    fullname: 'Ada L',
    email: 'ada@example.com',
    isPro: true,
    isAdmin: false,
    createdAt: new Date(hub.clock.now()).toISOString(),
  });
  expect(users.at(-1)).toMatchObject({ name: 'admin', isAdmin: true });
  expect(users.at(-1)).not.toHaveProperty('email');
  await expect(listUsers(hub.as('user-0')).next()).rejects.toMatchObject({ status: 403 });
  await expect(listUsers({ ...hub.admin, accessToken: 'hf_nobodyAtAll00' }).next()).rejects.toMatchObject({
    status: 401,
  });
});
