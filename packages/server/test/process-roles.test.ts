import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { getMetrics } from '@moonbase/client/service';
import { createWebhook, listDeliveries } from '@moonbase/client/webhooks';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createHub } from '../src/hub.ts';
import { collect } from './harness.ts';
import { startReceiver } from './receiver.ts';
import { createTestDatabase, engine } from './test-database.ts';

const ADMIN = 'hf_administratorOfTests';

/** Starts a process of a hub with its background work. */
async function start(environment: Readonly<Record<string, string>>, role: string) {
  const settings = { MOONBASE_PORT: '0', MOONBASE_ADMIN_TOKEN: ADMIN, ...environment, MOONBASE_ROLE: role };
  const hub = await createHub(readConfig(settings), { logger: pino({ level: 'silent' }) });
  await hub.prepare();
  const hubUrl = await hub.start();
  return {
    ...{ hubUrl, accessToken: ADMIN, retry: false as const },
    [Symbol.asyncDispose]: () => hub.stop(),
  };
}

test.runIf(engine === 'postgres')(
  'an API process serves requests and a worker does the background work: a change at one is known to the other',
  async () => {
    await using database = await createTestDatabase();
    await using receiver = await startReceiver();
    await using api = await start(database.environment, 'api');
    const watched = [{ type: 'user' as const, name: 'admin' }];
    const { webhook } = await createWebhook({ ...api, webhook: { url: receiver.url, watched, domains: ['repo'] } });
    await createRepo({ ...api, repo: 'admin/letters' });
    await using worker = await start(database.environment, 'worker');
    const delivered = async () => (await collect(listDeliveries({ ...api, webhookId: webhook.id })))[0]?.status;
    await expect.poll(delivered).toBe('delivered');
    expect(receiver.events()).toEqual(['repo/create']);
    const rounds = /moonbase_worker_round_duration_seconds_count/;
    expect(await getMetrics(worker)).toMatch(rounds);
    expect(await getMetrics(api)).not.toMatch(rounds);
  },
);

test.runIf(engine === 'postgres')('a worker responds only to probes, and creates no administrator', async () => {
  await using database = await createTestDatabase();
  await using worker = await start(database.environment, 'worker');
  for (const path of ['/health', '/ready', '/api/version'])
    expect((await fetch(worker.hubUrl + path)).status).toBe(200);
  await expect(getMetrics(worker)).rejects.toMatchObject({ status: 401 });
  for (const path of ['/api/whoami-v2', '/docs', '/', '/.well-known/openapi.json', '/scim/v2/Users']) {
    const answer = await fetch(worker.hubUrl + path);
    expect([path, answer.status, await answer.json()]).toEqual([
      path,
      404,
      {
        error:
          'This process of the hub only works in the background; it answers at /health, /ready, /metrics and /api/version',
      },
    ]);
  }
  await using api = await start(database.environment, 'api');
  expect(await whoAmI(api)).toMatchObject({ name: 'admin' });
  expect(await getMetrics(worker)).toContain('moonbase_queue_waiting');
});
