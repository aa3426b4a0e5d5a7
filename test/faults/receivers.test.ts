import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBranch } from '@moonbase/client/repositories';
import { createWebhook, getDeliveryPage, listWebhooks } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { ACCESS_TOKEN, expectNothingLost, expectRefusals, prepareHub, REPO, startLoad } from './load.ts';
import { pause, seeded } from './pace.ts';
import { type Mood, startSink } from './sink.ts';

const ILL_MS = 6000;
/** The bound on the time from a change to its delivery to a healthy receiver while all others fail. */
const MAX_DELAY_MS = 8000;

test(`receivers that refuse, fail, reset, hang, flap and are slow delay no healthy one and get all deliveries once they recover (${engine})`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-receivers-'));
  const random = seeded(3);
  let allWell = false;
  const ill = (mood: () => Mood) => startSink(() => (allWell ? 'well' : mood()));
  await using database = await createTestDatabase();
  await using good = await startSink();
  await using failing = await ill(() => 'failing');
  await using resetting = await ill(() => 'resetting');
  await using hanging = await ill(() => 'hanging');
  await using slow = await ill(() => 'slow');
  await using flapping = await ill(() => (random() < 0.5 ? 'failing' : random() < 0.5 ? 'resetting' : 'well'));
  await using refusing = await startSink();
  refusing.refuse();
  const sick = { refusing, failing, resetting, hanging, slow, flapping };
  const hub = await startHubProcess({
    ...(engine === 'postgres' && database.environment),
    MOONBASE_DATA_DIR: folder,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    // The attempts suffice to give nothing up while the receivers fail; each attempt at a hanging one takes 10 s.
    MOONBASE_WEBHOOK_RETRY_SCHEDULE: Array(30).fill('1').join(','),
  });
  try {
    await prepareHub(hub.url, good.url);
    for (const { url } of Object.values(sick)) {
      const watched = [{ type: 'model' as const, name: 'admin/bert' }];
      await createWebhook({ hubUrl: hub.url, accessToken: ACCESS_TOKEN, webhook: { url, watched, domains: ['repo'] } });
    }
    const load = startLoad(hub.url, 'moody', { writers: 2, restMs: 50 });
    await pause(ILL_MS);
    await load.stop();
    const beforeRecovery = new Set(load.acknowledged);
    await pause(MAX_DELAY_MS);
    const delays = [...beforeRecovery].map(
      (ref) => (good.arrivals.get(ref) ?? Infinity) - (load.askedAt.get(ref) ?? 0),
    );
    const sorted = delays.toSorted((a, b) => a - b);
    const [median, longest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    console.log(
      `the good receiver beside ${Object.keys(sick).length} ill ones: median ${median} ms, longest ${longest} ms`,
    );
    expect(longest).toBeLessThan(MAX_DELAY_MS);
    // Each delivery so far has at most one attempt a second, so there is no storm.
    expect(failing.requests()).toBeLessThan(beforeRecovery.size * (ILL_MS + MAX_DELAY_MS) * 0.001);

    allWell = true;
    await refusing.listen();
    expectRefusals(load.refusals);
    await expectNothingLost(`good (${engine})`, hub.url, { ...load, sink: good });
    for (const [name, sink] of Object.entries(sick))
      await expectNothingLost(`${name} (${engine})`, hub.url, { ...load, sink });
    expect(await hub.stop()).toBe(0);
  } finally {
    await hub.kill();
    await rm(folder, { recursive: true, force: true });
  }
});

test(`a hub that stops while a receiver without an address is refused records that attempt and ends well (${engine})`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-receivers-'));
  await using database = await createTestDatabase();
  const settings = {
    ...(engine === 'postgres' && database.environment),
    MOONBASE_DATA_DIR: folder,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
  };
  try {
    let hub = await startHubProcess(settings);
    // The name of a receiver is refused a second after it was asked for.
    await prepareHub(hub.url, 'https://receiver.invalid/');
    await createBranch({ hubUrl: hub.url, accessToken: ACCESS_TOKEN, type: 'model', repo: REPO, branch: 'new' });
    await pause(300);
    expect(await hub.stop()).toBe(0);
    hub = await startHubProcess(settings);
    const connection = { hubUrl: hub.url, accessToken: ACCESS_TOKEN };
    const [webhook] = await listWebhooks(connection);
    const { entries } = await getDeliveryPage({ ...connection, webhookId: webhook?.id ?? '' });
    expect(await hub.stop()).toBe(0);
    expect(entries).toMatchObject([{ status: 'retrying', attempts: 1 }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
