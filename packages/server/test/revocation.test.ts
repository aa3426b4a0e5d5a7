import { createAccessToken } from '@moonbase/client/access-tokens';
import { revokeMemberToken, revokeMemberTokenById } from '@moonbase/client/member-tokens';
import { removeMember } from '@moonbase/client/members';
import { createRepo } from '@moonbase/client/repositories';
import type { Method } from '@moonbase/contract/route';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { person, startHub, type TestHub } from './harness.ts';
import { createTestDatabase, engine, type TestDatabase } from './test-database.ts';

/**
 * Two hubs share one database, as behind a load balancer: a revocation at one hub applies at the other from the next
 * request on, since no hub caches callers. On SQLite, which allows only one hub, that hub plays both parts.
 */

let shared: TestDatabase;
let hubs: TestHub[];
beforeAll(async () => {
  shared = await createTestDatabase();
  hubs = [await startHub(shared.environment)];
  if (engine === 'postgres') hubs.push(await startHub(shared.environment));
  const [hub] = hubs as [TestHub];
  await hub.apply({
    users: ['ada', 'bob'].map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'bob', role: 'admin' },
        ],
      },
    ],
  });
  await createRepo({ ...hub.as('bob'), repo: 'acme/open' });
  await createRepo({ ...hub.as('bob'), repo: 'acme/secret', private: true });
});
afterAll(async () => {
  for (const hub of hubs) await hub[Symbol.asyncDispose]();
  await shared[Symbol.asyncDispose]();
});

const REACHING: readonly `${Method} ${string}`[] = [
  'GET /api/organizations/acme/overview',
  'GET /api/organizations/acme/members',
  'GET /api/organizations/acme/resource-groups',
  'GET /api/organizations/acme/roles',
  'GET /api/organizations/acme/access',
  'GET /api/organizations/acme/audit-log',
  'GET /api/organizations/acme/audit-log/export',
  'GET /api/organizations/acme/audit-log/head',
  'GET /api/organizations/acme/invitations',
  'GET /api/organizations/acme/settings/tokens',
  'GET /api/organizations/acme/settings/tokens/policy',
  'GET /api/organizations/acme/settings/repositories',
  'GET /api/models/acme/open',
  'GET /api/models/acme/secret',
  'GET /api/models/acme/none',
];

/** Returns the statuses of these requests with a token, from either hub in turn. */
const statuses = (token: string, from: number) =>
  Promise.all(
    REACHING.map(async (request, at) => {
      const hub = hubs[(from + at) % hubs.length]!;
      return (await ask(hub.with(token), request)).status;
    }),
  );

test.each(['value', 'id'])('a token revoked by its %s gets 403 from every hub from the next request on', async (by) => {
  for (let round = 0; round < 5; round++) {
    const [here, there] = [hubs[round % hubs.length]!, hubs[(round + 1) % hubs.length]!];
    const { token, id: tokenId } = await createAccessToken({
      ...here.as('bob'),
      displayName: `${by} ${round}`,
      role: 'write',
    });
    // The token has been used at both hubs before.
    for (const from of [0, 1]) expect(new Set(await statuses(token, from))).toEqual(new Set([200, 404]));
    const ada = { ...here.as('ada'), name: 'acme' };
    const startedAt = performance.now();
    await (by === 'id' ? revokeMemberTokenById({ ...ada, tokenId }) : revokeMemberToken({ ...ada, token }));
    const answer = await ask(there.with(token), 'GET /api/organizations/acme/overview');
    expect(answer.status).toBe(403);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    for (const from of [0, 1]) expect(new Set(await statuses(token, from))).toEqual(new Set([403]));
    for (const hub of hubs) expect((await ask(hub.with(token), 'GET /api/whoami-v2')).status).toBe(200);
  }
});

test('a former member is a former member at every hub', async () => {
  const [here, there] = [hubs[0]!, hubs.at(-1)!];
  expect((await ask(there.as('bob'), 'GET /api/models/acme/secret')).status).toBe(200);
  await removeMember({ ...here.as('ada'), name: 'acme', username: 'bob' });
  expect((await ask(there.as('bob'), 'GET /api/models/acme/secret')).status).toBe(404);
  expect((await ask(there.as('bob'), 'GET /api/organizations/acme/audit-log')).status).toBe(403);
});
