import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { person, startHub } from './harness.ts';

test('renaming a custom role renames it everywhere it is used', async () => {
  await using hub = await startHub();
  await hub.apply({
    users: ['ada', 'uma'].map(person),
    organizations: [{ name: 'acme', plan: 'enterprise', members: [{ user: 'ada', role: 'admin' }, { user: 'uma' }] }],
  });
  await hub.drain();
  await ask(hub.as('ada'), 'POST /api/organizations/acme/roles', { name: 'taken', base: 'read' });
  await ask(hub.as('ada'), 'POST /api/organizations/acme/roles', { name: 'pilot', base: 'write' });
  const put = (path: string, body: object) => ask(hub.as('ada'), `PUT /api/organizations/acme/${path}`, body);
  const post = (path: string, body: object) => ask(hub.as('ada'), `POST /api/organizations/acme/${path}`, body);
  expect((await put('members/uma/role', { role: 'pilot' })).status).toBe(200);
  const autoJoin = { enabled: true, role: 'pilot' };
  const group = (await (await post('resource-groups', { name: 'cockpit', autoJoin })).json()) as { id: string };
  expect((await post('invitations', { email: 'pilot@acme.com', role: 'pilot' })).status).toBe(200);
  const rename = (name: string, role = 'pilot') =>
    ask(hub.as('ada'), `PATCH /api/organizations/acme/roles/${role}`, { name });
  for (const [name, status] of [
    ['taken', 409],
    ['Taken', 409],
    ['admin', 400],
    ['', 400],
    ['captain', 200],
    ['Captain', 200],
  ] as const)
    expect([name, (await rename(name, status === 200 && name === 'Captain' ? 'captain' : 'pilot')).status]).toEqual([
      name,
      status,
    ]);
  const found = async (path: string) =>
    JSON.stringify(await (await ask(hub.as('ada'), `GET /api/organizations/acme/${path}`)).json());
  for (const path of ['roles', 'members?search=uma', `resource-groups/${group.id}`, 'invitations']) {
    expect(await found(path)).toContain('"Captain"');
    expect(await found(path)).not.toContain('pilot"');
  }
  expect(await found('access?user=uma')).toContain('"name":"Captain"');
  expect((await rename('pilot', 'gone')).status).toBe(404);
  await hub.drain();
  // The name stays taken until the losses from the changed base are known.
  await ask(hub.as('ada'), 'PATCH /api/organizations/acme/roles/Captain', { base: 'no_access' });
  expect((await rename('pilot', 'captain')).status).toBe(409);
  await hub.drain();
  expect((await rename('pilot', 'captain')).status).toBe(200);
  const [entry] = (await (await ask(hub.as('ada'), 'GET /api/organizations/acme/audit-log')).json()) as {
    message: string;
  }[];
  expect(entry?.message).toBe('Changed the custom role Captain to pilot, which stands on no_access');
});
