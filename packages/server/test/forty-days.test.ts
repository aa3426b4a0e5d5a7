import { applyHub } from '@moonbase/client/admin';
import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { createInvitation } from '@moonbase/client/invitations';
import { createOrganization, deleteOrganization, restoreOrganization } from '@moonbase/client/organizations';
import { createRepo, createTag, deleteRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { updateMuted, updateWatched } from '@moonbase/client/watching';
import { replayDeliveries } from '@moonbase/client/webhook-replays';
import { openWebhookStream } from '@moonbase/client/webhook-streams';
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  getWebhook,
  rotateWebhookSecret,
} from '@moonbase/client/webhooks';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Outbound, OutboundResult } from '../src/platform/outbound/outbound.ts';
import { HOUR } from './clock.ts';
import { person, startHub } from './harness.ts';
import { type Ages, stuckRows } from './no-stuck-rows.ts';
import { startMailServer } from './smtp-server.ts';
import { engine } from './test-database.ts';
import { createTestRunner } from './test-runner.ts';

const DAYS = 40;
/** The hours between rounds of work: PostgreSQL answers across a socket, a hundred times a round. */
const PACE = engine === 'sqlite' ? 1 : 4;
const AGES: Ages = { deliveries: 5, notifications: 7, audit: 10, jobs: 3, mails: 30, pace: PACE * HOUR };

const answered = (status: number): OutboundResult => ({
  ...{ kind: 'answered', status, headers: {}, body: '', durationMs: 5 },
});
const HANGS: OutboundResult = { kind: 'failed', error: 'Timed out after 10 s', durationMs: 10_000 };

/** The answer of each receiver to the hour of the test, by the first part of its host. */
const RECEIVERS: Readonly<Record<string, (hour: number) => OutboundResult>> = {
  good: () => answered(200),
  refuses: () => answered(500),
  hangs: () => HANGS,
  rare: () => answered(503),
  flaps: (hour) => answered(Math.floor(hour / 7) % 2 === 0 ? 204 : 502),
  gone: (hour) => answered(hour < 50 ? 200 : 410),
  doomed: () => answered(500),
};

test('after forty days of hourly changes nothing is stuck and nothing outlives its retention', async () => {
  await using mail = await startMailServer();
  const runner = createTestRunner();
  let hour = 0;
  const posts: { host: string; hour: number; signatures: number }[] = [];
  const outbound: Outbound = {
    async post({ url, headers }) {
      const [host = ''] = new URL(url).hostname.split('.');
      const signatures = headers['webhook-signature']?.split(' ').length ?? 0;
      posts.push({ host, hour, signatures });
      return RECEIVERS[host]?.(hour) ?? answered(404);
    },
    async [Symbol.asyncDispose]() {},
  };
  await using hub = await startHub(
    {
      MOONBASE_WEBHOOK_LOG_DAYS: `${AGES.deliveries}`,
      MOONBASE_NOTIFICATION_DAYS: `${AGES.notifications}`,
      MOONBASE_AUDIT_LOG_DAYS: `${AGES.audit}`,
      MOONBASE_JOB_DAYS: `${AGES.jobs}`,
      MOONBASE_SMTP_URL: mail.url,
      MOONBASE_MAIL_FROM: 'hub@example.com',
      MOONBASE_MAIL_QUIET_SECONDS: '28800',
      MOONBASE_JOBS_RUNNER: 'process',
    },
    { outbound, runner, logger: pino({ level: 'silent' }) },
  );
  const names = ['alice', 'bob', 'carol', 'dave'];
  await hub.apply({
    users: names.map((name) => ({ ...person(name), email: `${name}@example.com` })),
    organizations: [
      {
        ...{ name: 'acme', plan: 'team' as const },
        members: [
          { user: 'alice', role: 'admin' as const },
          { user: 'bob', role: 'write' as const },
        ],
      },
    ],
  });
  const [alice, bob, carol] = [hub.as('alice'), hub.as('bob'), hub.as('carol')];
  const LETTERS = { type: 'model', repo: 'acme/letters' } as const;
  const RARE = { type: 'model', repo: 'alice/rare' } as const;
  for (const { repo } of [LETTERS, RARE]) await createRepo({ ...alice, repo });
  for (const org of ['doomed', 'spared']) {
    await createOrganization({ ...alice, name: org });
    await createRepo({ ...alice, repo: `${org}/things`, private: true });
    await createInvitation({ ...alice, name: org, user: 'bob', role: 'read' });
    await createInvitation({ ...alice, name: org, email: 'nobody@example.com', role: 'read' });
  }
  await updateWatched({ ...carol, add: [{ type: 'org', id: 'acme' }] });

  const ACME = { type: 'org', name: 'acme' } as const;
  async function hook(host: string, as = alice, watched: { type: 'org' | 'model'; name: string } = ACME) {
    const url = `https://${host}.example/hook`;
    const input = {
      url,
      watched: [watched],
      domains: ['repo', 'discussion'] as ['repo', 'discussion'],
      secret: 'first',
    };
    const { webhook } = await createWebhook({ ...as, webhook: input });
    return { ...as, webhookId: webhook.id };
  }
  const good = await hook('good');
  const refuses = await hook('refuses');
  const hangs = await hook('hangs', bob);
  const flaps = await hook('flaps');
  const gone = await hook('gone', carol);
  const rare = await hook('rare', alice, { type: 'model', name: RARE.repo });
  const doomed = await hook('doomed', alice, { type: 'org', name: 'doomed' });
  await createScheduledJob({
    ...{ ...alice, namespace: 'alice', schedule: '0 */6 * * *' },
    jobSpec: { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic', attempts: 2 },
  });

  /** Special events by day, at its second hour. */
  const events: Readonly<Record<number, () => Promise<unknown>>> = {
    1: () => createDiscussion({ ...alice, type: 'model', repo: 'doomed/things', title: 'Soon gone', description: '.' }),
    2: () => rotateWebhookSecret({ ...good, secret: 'second' }),
    3: () => deleteOrganization({ ...alice, name: 'doomed' }),
    4: () => replayDeliveries({ ...flaps, status: 'failed' }),
    5: async () => mail.answer({ status: 451, text: 'Later' }),
    6: () => deleteOrganization({ ...alice, name: 'spared' }),
    7: async () => mail.answer(undefined),
    8: () => restoreOrganization({ ...alice, name: 'spared' }),
    9: () => enableWebhook(refuses),
    10: () => deleteWebhook(doomed),
    11: () => createRepo({ ...bob, repo: 'bob/short' }),
    12: () => createDiscussion({ ...carol, type: 'model', repo: 'bob/short', title: 'Hello', description: '@alice' }),
    13: () => updateMuted({ ...alice, add: [{ type: 'repo', id: 'bob/short' }] }),
    14: () => updateWatched({ ...carol, add: [{ type: 'repo', id: 'bob/short' }] }),
    15: () => deleteRepo({ ...bob, repo: 'bob/short' }),
    16: () => updateRepoSettings({ ...alice, ...LETTERS, settings: { private: true } }),
    17: () => updateRepoSettings({ ...alice, ...LETTERS, settings: { private: false } }),
    20: () => applyHub({ ...hub.admin, document: { users: [{ name: 'carol', state: 'absent' }] } }),
    21: () => replayDeliveries(good),
    25: async () => mail.answer({ status: 550, text: 'Never' }),
    26: async () => mail.answer(undefined),
  };
  const stateOf = async (webhook: typeof good) => (await getWebhook(webhook)).webhook.disabled;
  const faults: string[] = [];
  const suspendedAt = new Map<string, number>();
  let num = 0;
  for (hour = 1; hour <= DAYS * 24; hour++) {
    hub.clock.advance(HOUR);
    for (const key of runner.running()) runner.exit(hour % 3 === 0 ? 1 : 0, key);
    const day = Math.floor(hour / 24);
    if (hour % 24 === 2) {
      await events[day]?.();
      await openWebhookStream({ ...alice, stream: { watched: [ACME] } });
    }
    const by = hour % 2 === 0 ? alice : bob;
    if (hour % 4 === 1)
      ({ num } = await createDiscussion({ ...by, ...LETTERS, title: `Hour ${hour}`, description: 'See, @dave' }));
    else await commentDiscussion({ ...by, ...LETTERS, num, comment: `At ${hour}` });
    if (hour % 30 === 3) await createTag({ ...alice, ...RARE, revision: 'main', tag: `t${hour}` });
    if (hour % PACE === 0) await hub.drain();
    if (hour % 24 !== 0) continue;
    for (const fault of await stuckRows(hub.database, hub.clock.now(), AGES)) faults.push(`after day ${day}: ${fault}`);
    for (const [name, webhook] of Object.entries({ good, refuses, hangs, flaps, rare }))
      if ((await stateOf(webhook)) === 'suspended-after-failure' && !suspendedAt.has(name)) suspendedAt.set(name, day);
    if (day === 3) expect(await stateOf(gone)).toBe('suspended-after-failure');
  }

  expect(faults).toEqual([]);
  // The limits are ten deliveries that used up their 27.6 hours, with the waits for rounds of work, and five days
  // without success.
  const usedUp = PACE === 1 ? 2 : 3;
  expect(Object.fromEntries(suspendedAt)).toEqual({ refuses: usedUp, hangs: usedUp, rare: 6 });
  expect(await stateOf(good)).toBe(false);
  expect(await stateOf(flaps)).toBe(false);
  const twice = posts.filter(({ host, signatures }) => host === 'good' && signatures === 2).map((post) => post.hour);
  expect([Math.min(...twice), Math.max(...twice)]).toEqual(PACE === 1 ? [50, 73] : [52, 72]);
  expect(mail.received().length).toBeGreaterThan(100);
  expect(runner.launched.length).toBeGreaterThan(DAYS * 3);

  // Once all changes have stopped, no work is left.
  for (const end = hour + 72; hour < end; hour += PACE) {
    hub.clock.advance(PACE * HOUR);
    await hub.drain();
  }
  expect(await stuckRows(hub.database, hub.clock.now(), AGES)).toEqual([]);
  const pending = hub.database.read.selectFrom('deliveries').select('id').where('status', '=', 'pending');
  expect(await pending.execute()).toEqual([]);
});
