import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, listDeliveries, testWebhook } from '@moonbase/client/webhooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAddressGuard } from '../../packages/server/src/platform/outbound/address-guard.ts';
import { createOutbound } from '../../packages/server/src/platform/outbound/outbound.ts';
import { ask } from '../../packages/server/test/ask.ts';
import { collect, person, startHub, type TestHub } from '../../packages/server/test/harness.ts';

/**
 * An attacker tries names of hidden repositories, and of machines in the network of the hub. The answers reveal nothing
 * about what is behind a name.
 */

describe('a repository name that is taken', () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startHub();
    await hub.apply({
      users: [person('alice'), person('bob'), person('carol')],
      organizations: [
        {
          name: 'acme',
          plan: 'enterprise',
          members: [
            { user: 'alice', role: 'admin' },
            { user: 'bob', role: 'contributor' },
            { user: 'carol', role: 'write' },
          ],
        },
      ],
    });
    await createRepo({ ...hub.as('alice'), repo: 'acme/secret', private: true });
    await createRepo({ ...hub.as('alice'), repo: 'acme/open' });
    const group = await ask(hub.as('alice'), 'POST /api/organizations/acme/resource-groups', { name: 'lab' });
    const { id } = (await group.json()) as { id: string };
    await ask(hub.as('alice'), 'POST /api/models/acme/secret/resource-group', { resourceGroupId: id });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const create = async (user: string, name: string, more: object = {}) => {
    const answer = await ask(hub.as(user), 'POST /api/repos/create', { organization: 'acme', name, ...more });
    return { status: answer.status, body: (await answer.json()) as object };
  };

  test('is refused without the id and URL of a repository that the caller may not see', async () => {
    for (const user of ['bob', 'carol'])
      for (const name of ['secret', 'SECRET']) {
        expect((await ask(hub.as(user), 'GET /api/models/acme/secret')).status).toBe(404);
        expect(await create(user, name)).toEqual({
          status: 409,
          body: { error: `A model repository called acme/${name} already exists` },
        });
      }
  });

  test('is refused with the id and URL of a repository that the caller may see, as clients expect', async () => {
    for (const [user, name] of [
      ['alice', 'secret'],
      ['alice', 'open'],
      ['bob', 'open'],
    ] as const)
      expect(await create(user, name)).toEqual({
        status: 409,
        body: {
          error: 'You already created this model repo',
          url: `${hub.url}/acme/${name}`,
          id: expect.stringMatching(/^[0-9a-f]{24}$/),
        },
      });
  });

  test('reveals no more to a caller who moves a repository to it', async () => {
    await createRepo({ ...hub.as('carol'), repo: 'acme/mine' });
    const move = await ask(hub.as('carol'), 'POST /api/repos/move', {
      fromRepo: 'acme/mine',
      toRepo: 'acme/secret',
      type: 'model',
    });
    expect([move.status, Object.keys((await move.json()) as object)]).toEqual([409, ['error']]);
  });
});

describe('a name in the network of the hub', () => {
  const INSIDE: Record<string, () => Promise<{ address: string; family: 4 | 6 }[]>> = {
    'database.inner.example': async () => [{ address: '10.0.0.7', family: 4 }],
    'metadata.inner.example': async () => [{ address: 'fd00:ec2::254', family: 6 }],
    'nothing.inner.example': () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
    'empty.inner.example': async () => [],
    'broken.inner.example': () => Promise.reject(Object.assign(new Error('no'), { code: 'ESERVFAIL' })),
    'silent.inner.example': () => Promise.reject(Object.assign(new Error('no'), { code: 'ETIMEOUT' })),
  };

  test('cannot be told from an unknown name by the log, a test or a replay', async () => {
    const told = vi.fn();
    const outbound = createOutbound({
      guard: createAddressGuard({ allow: [], allowLoopback: false }),
      resolve: (host) => INSIDE[host]?.() ?? Promise.resolve([]),
      refusalMs: 200,
      onNameRefused: told,
    });
    await using hub = await startHub({}, { outbound });
    await hub.people('alice');
    const alice = hub.as('alice');
    const names = Object.keys(INSIDE);
    const learned = await Promise.all(
      names.map(async (host) => {
        const url = `http://${host}:8080/hook`;
        const watched = [{ type: 'user' as const, name: 'alice' }];
        const { webhook } = await createWebhook({ ...alice, webhook: { url, watched, domains: ['repo'] } });
        const test = await testWebhook({ ...alice, webhookId: webhook.id });
        const [entry] = await collect(listDeliveries({ ...alice, webhookId: webhook.id }));
        const replay = await ask(alice, `POST /api/settings/webhooks/${webhook.id}/replay/${entry?.id}`);
        const replayed = (await replay.json()) as object;
        const durations = [entry?.durationMs ?? 0];
        expect(Math.min(...durations)).toBeGreaterThanOrEqual(195);
        return JSON.stringify([test, { ...entry, id: '', createdAt: '', durationMs: 0 }, { ...replayed, id: '' }])
          .replaceAll(host, 'NAME')
          .replaceAll(/[0-9a-f]{24}/g, 'ID');
      }),
    );
    expect(new Set(learned).size).toBe(1);
    expect(learned[0]).toContain('Address not allowed: NAME (no public address was found for this name)');
    // The log of the hub tells the operator the difference.
    expect(new Map(told.mock.calls as [string, string][]).get('database.inner.example')).toBe('10.0.0.7');
    expect(new Map(told.mock.calls as [string, string][]).get('nothing.inner.example')).toMatch(/^Name not found/);
  });

  test('is refused after the same time, whatever address it resolves to', async () => {
    const outbound = createOutbound({
      guard: createAddressGuard({ allow: [], allowLoopback: false }),
      resolve: (host) => INSIDE[host]?.() ?? Promise.resolve([]),
      refusalMs: 200,
    });
    const results = await Promise.all(
      Object.keys(INSIDE).map((host) => outbound.post({ url: `http://${host}/`, headers: {}, body: '' })),
    );
    for (const { durationMs } of results) expect(durationMs).toBeGreaterThanOrEqual(195);
    await outbound[Symbol.asyncDispose]();
  });
});
