import { setTimeout as pause } from 'node:timers/promises';
import { listUsers } from '@moonbase/client/admin';
import { runJob, streamJobEvents, streamJobLogs } from '@moonbase/client/jobs';
import { streamNotifications } from '@moonbase/client/notifications';
import { createRepo } from '@moonbase/client/repositories';
import { disableUser, enableUser } from '@moonbase/client/users';
import { openWebhookStream, streamDeliveries } from '@moonbase/client/webhook-streams';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { type Connection, collect, person, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { newUser, PATCH, startScim } from '../../packages/server/test/scim-fixture.ts';
import { createTestDatabase, engine, type TestDatabase } from '../../packages/server/test/test-database.ts';
import { createTestRunner } from '../../packages/server/test/test-runner.ts';

/**
 * Two hubs share one database, as behind a load balancer: a change at one hub applies at the other from the next
 * request on, and within a second to its open streams. On SQLite, which allows only one hub, that hub plays both parts.
 */

const runner = createTestRunner();
let shared: TestDatabase;
let hubs: TestHub[];
let hub: TestHub;
let other: TestHub;
let names = 0;
/** A user whom no earlier test has disabled. */
let mallory: string;

beforeAll(async () => {
  shared = await createTestDatabase();
  hubs = [await startHub(shared.environment, { runner })];
  if (engine === 'postgres') hubs.push(await startHub(shared.environment, { runner }));
  [hub, other] = [hubs[0] as TestHub, hubs.at(-1) as TestHub];
  await hub.people('alice');
  await createRepo({ ...hub.as('alice'), repo: 'alice/open' });
});
afterAll(async () => {
  for (const each of hubs) await each[Symbol.asyncDispose]();
  await shared[Symbol.asyncDispose]();
});
beforeEach(async () => {
  names += 1;
  mallory = `mallory-${names}`;
  await hub.people(mallory);
});

const disable = (username: string, by: Connection = hub.admin) => disableUser({ ...by, username });
const enable = (username: string, by: Connection = hub.admin) => enableUser({ ...by, username });
const statusOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).status;

describe('a disabled user', () => {
  const REQUESTS = [
    ['GET /api/whoami-v2'],
    ['GET /api/notifications'],
    ['GET /api/settings/webhooks'],
    ['GET /api/models/alice/open'],
    ['POST /api/repos/create', { name: 'way-in', type: 'model' }],
    ['POST /api/settings/tokens', { displayName: 'spare', role: 'write' }],
  ] as const;

  test('is unknown to every process from the next request on, with the response for an unknown token', async () => {
    for (const at of hubs) expect(await statusOf(at.as(mallory), 'GET /api/whoami-v2')).toBe(200);
    expect(await disable(mallory)).toEqual({});
    for (const at of hubs)
      for (const [request, body] of REQUESTS) {
        const answer = await ask(at.as(mallory), request, body);
        const unknown = await ask(at.with('hf_nobodyHasThisToken'), request, body);
        expect([request, answer.status, await answer.json()]).toEqual([request, 401, await unknown.json()]);
      }
    expect(await statusOf(hub.admin, `GET /api/models/${mallory}/way-in`)).toBe(404);
  });

  test('can use the same tokens once enabled', async () => {
    await disable(mallory);
    expect(await enable(mallory)).toEqual({});
    expect(await enable(mallory)).toEqual({});
    for (const at of hubs) expect(await statusOf(at.as(mallory), 'GET /api/whoami-v2')).toBe(200);
  });

  test('is shown to site administrators, with the actor and the time', async () => {
    await disable(mallory);
    const [shown] = await collect(listUsers({ ...hub.admin, search: mallory }));
    const disabledAt = new Date(hub.clock.now()).toISOString();
    expect(shown).toMatchObject({ name: mallory, disabled: true, disabledAt, disabledBy: 'admin' });
    const disabled = (await collect(listUsers({ ...hub.admin, disabled: true }))).map(({ name }) => name);
    expect(disabled).toContain(mallory);
    expect(disabled).not.toContain('alice');
    const enabled = (await collect(listUsers({ ...hub.admin, disabled: false }))).map(({ name }) => name);
    expect(enabled).not.toContain(mallory);
    expect(enabled).toContain('alice');
  });

  test('is disabled and enabled by site administrators only', async () => {
    for (const verb of ['disable', 'enable']) {
      const path = `POST /api/admin/users/${mallory}/${verb}` as const;
      expect(await statusOf(hub.as('alice'), path)).toBe(403);
      expect(await statusOf({ hubUrl: hub.url }, path)).toBe(401);
      expect(await statusOf(hub.admin, `POST /api/admin/users/nobody-here/${verb}`)).toBe(404);
    }
    expect(await statusOf(other.as(mallory), 'GET /api/whoami-v2')).toBe(200);
  });
});

describe('open streams of a disabled user', () => {
  /** Runs `act`; resolves with the time that each stream stayed open after it. */
  async function lastedAfter(streams: readonly AsyncGenerator<unknown>[], act: () => Promise<unknown>) {
    const ends = streams.map((stream) => collect(stream));
    await act();
    const startedAt = performance.now();
    await Promise.all(ends);
    return performance.now() - startedAt;
  }

  /** Streams end by a signal; without the signal, they check their caller after 15 seconds at the earliest. */
  const SOON_MS = 12_000;

  /** Opens one stream of each kind at a hub, and waits for the first sign of life of each. */
  async function open(at: TestHub) {
    const as = at.as(mallory);
    const inbox = streamNotifications(as);
    await inbox.next();
    const { stream } = await openWebhookStream({ ...as, stream: {} });
    const deliveries = streamDeliveries({ ...as, streamId: stream.id });
    await deliveries.next();
    const job = await runJob({
      ...as,
      namespace: mallory,
      job: { dockerImage: 'alpine', command: ['sleep'], flavor: 'cpu-basic' },
    });
    const given = { ...as, namespace: mallory, jobId: job.id };
    const events = streamJobEvents(given);
    await events.next();
    return [inbox, deliveries, events, streamJobLogs(given)] as AsyncGenerator<unknown>[];
  }

  /** Makes the audit log of an organization longer than all buffers between hub and client. */
  async function lengthen(name: string): Promise<number> {
    const { read } = hub.database;
    const { id } = await read.selectFrom('accounts').select('id').where('name', '=', name).executeTakeFirstOrThrow();
    const events = read.selectFrom('audit_events').selectAll().where('org_id', '=', id);
    const event = await events.orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow();
    const body = JSON.stringify({ ...JSON.parse(event.body), data: { padding: 'x'.repeat(100_000) } });
    const rows = Array.from({ length: 400 }, (_, at) => ({
      ...{ ...event, body, seq: event.seq + 1 + at },
      id: (event.id.slice(0, 18) + (0xa00000 + at).toString(16)).slice(0, 24),
    }));
    for (const row of rows) await hub.database.transaction((tx) => tx.insertInto('audit_events').values(row).execute());
    await hub.database.transaction((tx) =>
      tx
        .updateTable('audit_chains')
        .set({ seq: event.seq + rows.length })
        .where('org_id', '=', id)
        .execute(),
    );
    return rows.length * body.length;
  }

  test('end within a second, in every process', async () => {
    const streams = (await Promise.all(hubs.map(open))).flat();
    expect(await lastedAfter(streams, () => disable(mallory))).toBeLessThan(SOON_MS);
    expect(await statusOf(hub.as(mallory), 'GET /api/notifications/stream')).toBe(401);
  });

  test('an export of an audit log is cut short, as for a caller who may not read the log any more', async () => {
    const organizations = (role: 'admin' | 'write') => [
      { name: `log-of-${mallory}`, plan: 'enterprise' as const, members: [{ user: mallory, role }] },
    ];
    await hub.apply({
      organizations: [{ ...organizations('admin')[0]!, members: [{ user: 'alice', role: 'admin' }] }],
    });
    await hub.apply({ organizations: organizations('admin') });
    const whole = await lengthen(`log-of-${mallory}`);
    const ends = [() => disable(mallory), () => hub.apply({ organizations: organizations('write') })];
    for (const end of ends.toReversed()) {
      await hub.apply({ organizations: organizations('admin') });
      const answer = await fetch(`${other.url}/api/organizations/log-of-${mallory}/audit-log/export`, {
        headers: { authorization: `Bearer ${other.as(mallory).accessToken}` },
      });
      const reader = answer.body!.getReader();
      let read = (await reader.read()).value?.length ?? 0;
      await end();
      await pause(1_100);
      const rest = async () => {
        for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) read += chunk.value.length;
      };
      await expect(rest()).rejects.toThrow();
      expect(read).toBeLessThan(whole);
    }
  });

  test('do not affect the streams of others', async () => {
    const stream = streamNotifications(other.as('alice'));
    await stream.next();
    await disable(mallory);
    await createRepo({ ...hub.as('alice'), repo: `alice/for-${mallory}` });
    await hub.people(`${mallory}-friend`);
    const news = stream.next();
    await ask(hub.as(`${mallory}-friend`), 'POST /api/models/alice/open/discussions', {
      title: 'Hello',
      description: 'For @alice',
    });
    await hub.drain();
    expect((await news).done).toBe(false);
    await stream.return(undefined);
  });
});

describe('the last site administrator', () => {
  test('cannot be disabled, neither alone nor concurrently with others', async () => {
    await using own = await createTestDatabase();
    await using here = await startHub(own.environment);
    await using there = engine === 'postgres' ? await startHub(own.environment) : undefined;
    await here.apply({ users: [{ ...person('root'), admin: true }] });
    const root = (there ?? here).as('root');
    expect(await statusOf(here.admin, 'POST /api/admin/users/admin/disable')).toBe(409);
    for (let round = 0; round < 5; round++) {
      const statuses = await Promise.all([
        statusOf(here.admin, 'POST /api/admin/users/root/disable'),
        statusOf(root, 'POST /api/admin/users/admin/disable'),
        statusOf(root, 'PUT /api/admin/hub', { users: [{ name: 'admin', admin: false }] }),
      ]);
      expect(statuses.filter((status) => ![200, 401, 403, 409].includes(status))).toEqual([]);
      const enabled = await here.database.read
        .selectFrom('accounts')
        .select('name')
        .where('site_admin', '=', 1)
        .where('disabled_at', 'is', null)
        .execute();
      expect(enabled.length, JSON.stringify(statuses)).toBeGreaterThan(0);
      await here.database.transaction((tx) =>
        tx
          .updateTable('accounts')
          .set({ disabled_at: null, disabled_by: null, site_admin: 1 })
          .where('name', 'in', ['admin', 'root'])
          .execute(),
      );
    }
  });
});

describe('an account that SCIM owns', () => {
  const GRACE = 'hf_tokenOfGrace0000';

  /** Creates an organization whose provider created the account grace, and a token of hers. */
  async function provided() {
    const fixture = await startScim();
    const { body } = await fixture.scim('POST /Users', newUser('grace'));
    await fixture.hub.apply({ users: [{ name: 'grace', tokens: [{ name: 'laptop', token: GRACE, role: 'write' }] }] });
    const path = `/Users/${body.id}` as const;
    return {
      ...fixture,
      path,
      grace: fixture.hub.with(GRACE),
      set: (active: boolean) => fixture.scim(`PATCH ${path}`, PATCH({ op: 'replace', value: { active } })),
      read: async () => (await fixture.scim(`GET ${path}`)).body.active as boolean,
      [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
    };
  }

  test('ends with `active: false`: tokens, new tokens, repositories and streams; `active: true` restores it', async () => {
    await using fixture = await provided();
    const { grace } = fixture;
    expect(await statusOf(grace, 'GET /api/whoami-v2')).toBe(200);
    const stream = streamNotifications(grace);
    await stream.next();
    const ended = collect(stream);
    expect((await fixture.set(false)).body).toMatchObject({ active: false });
    const startedAt = performance.now();
    await ended;
    expect(performance.now() - startedAt).toBeLessThan(12_000);
    expect(await statusOf(grace, 'GET /api/whoami-v2')).toBe(401);
    expect(await statusOf(grace, 'POST /api/repos/create', { name: 'mine' })).toBe(401);
    expect(await statusOf(grace, 'POST /api/settings/tokens', { displayName: 'x', role: 'write' })).toBe(401);
    expect((await fixture.set(true)).body).toMatchObject({ active: true });
    expect(await statusOf(grace, 'GET /api/whoami-v2')).toBe(200);
    expect(await statusOf(grace, 'GET /api/organizations/acme/members')).toBe(200);
    expect((await fixture.audit()).filter(([, message]) => /abled the account/.test(message))).toEqual([
      ['org.update_settings', 'Disabled the account grace'],
      ['org.update_settings', 'Enabled the account grace'],
    ]);
  });

  test('can be created disabled with `active: false`', async () => {
    await using fixture = await provided();
    const { body } = await fixture.scim('POST /Users', newUser('hedy', { active: false }));
    const [shown] = await collect(listUsers({ ...fixture.hub.admin, search: 'hedy' }));
    expect(shown).toMatchObject({ disabled: true, disabledBy: 'acme' });
    await fixture.scim(`PATCH /Users/${body.id}`, PATCH({ op: 'replace', value: { active: true } }));
    expect((await collect(listUsers({ ...fixture.hub.admin, search: 'hedy' })))[0]).toMatchObject({ disabled: false });
  });

  test('stays disabled if a site administrator disabled it, whatever SCIM sends, and is presented as inactive', async () => {
    await using fixture = await provided();
    await disableUser({ ...fixture.hub.admin, username: 'grace' });
    expect(await fixture.read()).toBe(false);
    const { body } = await fixture.scim('GET /Users?filter=active%20eq%20false');
    expect(body.Resources).toHaveLength(1);
    expect((await fixture.set(true)).body).toMatchObject({ active: false });
    expect(await statusOf(fixture.grace, 'GET /api/whoami-v2')).toBe(401);
    await enableUser({ ...fixture.hub.admin, username: 'grace' });
    expect(await fixture.read()).toBe(true);
    expect(await statusOf(fixture.grace, 'GET /api/whoami-v2')).toBe(200);
  });

  test('stays out of an organization that SCIM removed it from while a site administrator had it disabled', async () => {
    await using fixture = await provided();
    await disableUser({ ...fixture.hub.admin, username: 'grace' });
    await fixture.set(false);
    await enableUser({ ...fixture.hub.admin, username: 'grace' });
    expect(await fixture.read()).toBe(false);
    expect(await statusOf(fixture.grace, 'GET /api/organizations/acme/audit-log')).toBe(403);
  });

  test('is not given back by SCIM after a site administrator took it over', async () => {
    await using fixture = await provided();
    await fixture.set(false);
    await disableUser({ ...fixture.hub.admin, username: 'grace' });
    await fixture.set(true);
    expect(await statusOf(fixture.grace, 'GET /api/whoami-v2')).toBe(401);
  });

  test('is disabled by `active: false` even after an admin removed the member', async () => {
    await using fixture = await provided();
    await fixture.org('DELETE /members/grace');
    expect([await fixture.read(), await statusOf(fixture.grace, 'GET /api/whoami-v2')]).toEqual([false, 200]);
    await fixture.set(false);
    expect(await statusOf(fixture.grace, 'GET /api/whoami-v2')).toBe(401);
  });

  test('cannot be disabled by the provider of another organization, nor as a site administrator', async () => {
    await using fixture = await provided();
    const beta = await fixture.beta();
    await fixture.hub.apply({ organizations: [{ name: 'beta', members: [{ user: 'grace', role: 'read' }] }] });
    const { body } = await beta('POST /scim/v2/Users', newUser('grace'));
    await beta(`PATCH /scim/v2/Users/${body.id}`, PATCH({ op: 'replace', value: { active: false } }));
    expect(await statusOf(fixture.grace, 'GET /api/whoami-v2')).toBe(200);
    await beta(`DELETE /scim/v2/Users/${body.id}`);
    expect(await statusOf(fixture.grace, 'GET /api/whoami-v2')).toBe(200);
    await fixture.hub.apply({ users: [{ name: 'grace', admin: true }] });
    await fixture.set(false);
    expect(await statusOf(fixture.grace, 'GET /api/whoami-v2')).toBe(200);
  });

  test('cannot be disabled as the last admin of its organization', async () => {
    await using fixture = await provided();
    await fixture.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'grace', role: 'admin' }] }] });
    await fixture.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'ada', role: 'read' }] }] });
    const answer = await ask(
      fixture.grace,
      `PATCH /api/organizations/acme/scim/v2${fixture.path}`,
      PATCH({ op: 'replace', value: { active: false } }),
      { 'content-type': 'application/scim+json' },
    );
    expect(answer.status).toBe(409);
    expect(await statusOf(fixture.grace, 'GET /api/whoami-v2')).toBe(200);
  });

  test('a member whom SCIM adopted loses only the membership', async () => {
    await using fixture = await provided();
    await fixture.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'carol', role: 'read' }] }] });
    const { body } = await fixture.scim('POST /Users', newUser('carol'));
    await fixture.scim(`PATCH /Users/${body.id}`, PATCH({ op: 'replace', value: { active: false } }));
    expect(await statusOf(fixture.hub.as('carol'), 'GET /api/whoami-v2')).toBe(200);
    expect(await statusOf(fixture.hub.as('carol'), 'GET /api/organizations/acme/audit-log')).toBe(403);
  });
});
