import { createInvitation, listInvitations } from '@moonbase/client/invitations';
import { runJob } from '@moonbase/client/jobs';
import { streamNotifications } from '@moonbase/client/notifications';
import { createRepo } from '@moonbase/client/repositories';
import { deleteUser } from '@moonbase/client/users';
import { createWebhook } from '@moonbase/client/webhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';
import { createTestRunner, type TestRunner } from './test-runner.ts';

let hub: TestHub;
let runner: TestRunner;
beforeEach(async () => {
  runner = createTestRunner();
  hub = await startHub({}, { runner });
  await hub.apply({
    users: ['alice', 'bob', 'carol'].map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'bob', role: 'write' },
        ],
      },
    ],
  });
});
afterEach(() => hub[Symbol.asyncDispose]());

const statusOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).status;
const JOB = { dockerImage: 'alpine', command: ['sleep'], flavor: 'cpu-basic' as const };

test('deleting one’s own account ends repositories, tokens, webhooks, streams and jobs; the audit log keeps the name', async () => {
  const bob = hub.as('bob');
  await createRepo({ ...bob, repo: 'bob/letters' });
  await createRepo({ ...bob, repo: 'acme/letters' });
  await createWebhook({
    ...bob,
    webhook: { url: 'https://example.com/hook', watched: [{ type: 'user', name: 'bob' }], domains: ['repo'] },
  });
  await runJob({ ...bob, namespace: 'bob', job: JOB });
  await runJob({ ...bob, namespace: 'acme', job: JOB });
  await hub.drain();
  expect(runner.running()).toHaveLength(2);
  const stream = streamNotifications(bob);
  await stream.next();
  const ended = collect(stream);

  expect(await deleteUser({ ...bob, username: 'bob' })).toEqual({});
  const startedAt = performance.now();
  await ended;
  // Without a signal, a stream checks its caller only after 15 s.
  expect(performance.now() - startedAt).toBeLessThan(12_000);
  expect(await statusOf(bob, 'GET /api/whoami-v2')).toBe(401);
  await hub.drain();
  expect(runner.running()).toEqual([]);
  expect(await statusOf(hub.admin, 'GET /api/users/bob/overview')).toBe(404);
  expect(await statusOf(hub.admin, 'GET /api/models/bob/letters')).toBe(404);
  expect(await statusOf(hub.as('alice'), 'GET /api/models/acme/letters')).toBe(200);
  const events = (await (await ask(hub.as('alice'), 'GET /api/organizations/acme/audit-log')).json()) as {
    type: string;
    author: { user: string };
  }[];
  expect(events.find(({ type }) => type === 'repo.create')?.author.user).toBe('bob');
  for (const table of ['webhooks', 'tokens', 'watches'] as const) {
    const rows = await hub.database.read.selectFrom(table).selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('bob');
  }
});

test('a new account with the same name inherits nothing', async () => {
  await createInvitation({ ...hub.as('alice'), name: 'acme', user: 'carol', role: 'admin' });
  await createRepo({ ...hub.as('carol'), repo: 'carol/letters', private: true });
  await deleteUser({ ...hub.as('carol'), username: 'carol' });
  await hub.drain();
  expect(await collect(listInvitations({ ...hub.as('alice'), name: 'acme' }))).toEqual([]);
  await hub.people('carol');
  await hub.drain();
  const carol = hub.as('carol');
  expect(await (await ask(carol, 'GET /api/settings/invitations')).json()).toEqual([]);
  expect(await (await ask(carol, 'GET /api/settings/webhooks')).json()).toEqual([]);
  expect(await statusOf(carol, 'GET /api/models/carol/letters')).toBe(404);
  expect(await statusOf(carol, 'GET /api/organizations/acme/audit-log')).toBe(403);
});

test('only site administrators delete other users, and only tokens of the role write can delete', async () => {
  expect(await statusOf(hub.as('carol'), 'DELETE /api/users/bob')).toBe(403);
  expect(await statusOf(hub.as('alice'), 'DELETE /api/users/bob')).toBe(403);
  expect(await statusOf({ hubUrl: hub.url }, 'DELETE /api/users/bob')).toBe(401);
  expect(await statusOf(hub.admin, 'DELETE /api/users/nobody')).toBe(404);
  expect(await statusOf(hub.admin, 'DELETE /api/users/acme')).toBe(404);
  const fineGrained = { canReadGatedRepos: false, global: ['user.settings.write'], scoped: [] };
  for (const made of [{ role: 'read' }, { role: 'fineGrained', fineGrained }]) {
    const { token } = (await (
      await ask(hub.as('bob'), 'POST /api/settings/tokens', { displayName: made.role, ...made })
    ).json()) as { token: string };
    expect(await statusOf(hub.with(token), 'DELETE /api/users/bob')).toBe(403);
  }
  expect(await statusOf(hub.as('bob'), 'GET /api/whoami-v2')).toBe(200);
  expect(await statusOf(hub.admin, 'DELETE /api/users/Bob')).toBe(200);
  expect(await statusOf(hub.as('bob'), 'GET /api/whoami-v2')).toBe(401);
});

test('the only admin of an organization and the last enabled site administrator cannot be deleted', async () => {
  const answer = await ask(hub.as('alice'), 'DELETE /api/users/alice');
  expect([answer.status, await answer.json()]).toEqual([
    409,
    { error: 'alice is the only admin of the organization acme; make another one first' },
  ]);
  expect(await statusOf(hub.admin, 'DELETE /api/users/alice')).toBe(409);
  // A disabled admin does not count.
  await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'admin' }] }] });
  expect(await statusOf(hub.admin, 'POST /api/admin/users/bob/disable')).toBe(200);
  expect(await statusOf(hub.as('alice'), 'DELETE /api/users/alice')).toBe(409);
  expect(await statusOf(hub.as('alice'), 'DELETE /api/organizations/acme/members/alice')).toBe(409);
  expect(await statusOf(hub.admin, 'POST /api/admin/users/bob/enable')).toBe(200);
  expect(await statusOf(hub.as('alice'), 'DELETE /api/users/alice')).toBe(200);

  await hub.apply({ users: [{ ...person('root'), admin: true }] });
  expect(await statusOf(hub.admin, 'POST /api/admin/users/root/disable')).toBe(200);
  expect(await statusOf(hub.admin, 'DELETE /api/users/admin')).toBe(409);
  expect(await statusOf(hub.admin, 'POST /api/admin/users/root/enable')).toBe(200);
  expect(await statusOf(hub.admin, 'DELETE /api/users/admin')).toBe(200);
  expect(await statusOf(hub.as('root'), 'GET /api/admin/users')).toBe(200);
});
