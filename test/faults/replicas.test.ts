import { createBranch, createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { type HubProcess, startHubProcess } from '../hub-process.ts';
import { pause } from './pace.ts';
import { startRoundRobin } from './round-robin.ts';
import { startSink } from './sink.ts';

const WRITERS = 3;
const ACCESS_TOKEN = 'hf_tokenOfTheFaultTestsWithEnoughLetters';
/** The lanes of a killed worker are free after 10 s. */
const MAX_WAIT_MS = 300_000;

/** A slot in which processes of the hub run one after the other. */
interface Slot {
  readonly role: 'api' | 'worker';
  hub: HubProcess;
}

test.runIf(engine === 'postgres')('nothing is lost while replicas are restarted in turn, and killed', async () => {
  await using database = await createTestDatabase();
  await using sink = await startSink();
  const start = (role: string) =>
    startHubProcess({
      ...database.environment,
      MOONBASE_ROLE: role,
      MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
      MOONBASE_DRAIN_SECONDS: '1',
      MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1',
    });
  // All processes start at once on an empty database.
  const roles = ['api', 'api', 'worker', 'worker'] as const;
  const slots: Slot[] = await Promise.all(roles.map(async (role) => ({ role, hub: await start(role) })));
  const apis = slots.filter(({ role }) => role === 'api');
  await using balancer = await startRoundRobin(apis.map(({ hub }) => hub.url));
  const connection = { hubUrl: balancer.url, accessToken: ACCESS_TOKEN, retry: false as const };

  const acknowledged = new Set<string>();
  const failures: string[] = [];
  let writing = true;
  async function write(prefix: string): Promise<void> {
    for (let at = 0; writing; at++) {
      const branch = `${prefix}-${at}`;
      await createBranch({ ...connection, type: 'model', repo: 'admin/bert', branch }).then(
        () => acknowledged.add(`refs/heads/${branch}`),
        (error: unknown) => failures.push(String(error)),
      );
      await pause(10);
    }
  }

  async function renew(slot: Slot, end: (hub: HubProcess) => Promise<unknown>): Promise<unknown> {
    const before = slot.hub;
    const ended = await end(before);
    slot.hub = await start(slot.role);
    if (slot.role === 'api') balancer.replace(before.url, slot.hub.url);
    await pause(200);
    return ended;
  }

  const arrived = () => new Set([...sink.deliveries.values()].map(({ ref }) => ref));
  const lost = () => [...acknowledged].filter((ref) => !arrived().has(ref));
  const duplicates = () => [...sink.deliveries.values()].reduce((sum, { times }) => sum + times - 1, 0);
  const report = (what: string) =>
    console.log(
      `${what}: acked ${acknowledged.size}, delivered ${sink.deliveries.size}, lost ${lost().length}, duplicate ${duplicates()}`,
    );
  async function delivered(): Promise<void> {
    for (const deadline = Date.now() + MAX_WAIT_MS; lost().length > 0 && Date.now() < deadline; ) await pause(50);
  }

  await createRepo({ ...connection, type: 'model', repo: 'admin/bert' });
  const watched = [{ type: 'model' as const, name: 'admin/bert' }];
  await createWebhook({ ...connection, webhook: { url: sink.url, watched, domains: ['repo'] } });

  const writers = Array.from({ length: WRITERS }, (_, at) => write(`w${at}`));
  for (const slot of slots) expect(await renew(slot, (hub) => hub.stop())).toBe(0);
  const lagging = lost().length;
  await delivered();
  report('SIGTERM to each');
  expect(failures).toEqual([]);
  // Lanes were handed over at once: an abandoned lease would delay them all for seconds.
  expect(lagging).toBeLessThan(100);
  expect(duplicates()).toBe(0);

  for (const role of ['api', 'worker']) {
    const slot = slots.find((each) => each.role === role);
    if (slot) await renew(slot, (hub) => hub.kill());
  }
  writing = false;
  await Promise.all(writers);
  await delivered();
  report('and kill -9 of one of each kind');
  expect(acknowledged.size).toBeGreaterThan(100);
  expect(lost()).toEqual([]);
  // A change has one delivery, so repeated requests have the same id.
  const acked = [...sink.deliveries.values()].filter(({ ref }) => acknowledged.has(ref));
  expect(acked.length).toBe(acknowledged.size);
  for (const { hub } of slots) expect(await hub.stop()).toBe(0);
});
