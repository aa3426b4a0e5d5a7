import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listDeadLetters } from '@moonbase/client/admin';
import { createBranch, createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { until } from './load.ts';
import { pause, seeded } from './pace.ts';
import { startSink } from './sink.ts';

const KILLS = 20;
const WRITERS = 4;
const ACCESS_TOKEN = 'hf_tokenOfTheFaultTestsWithEnoughLetters';
/** On PostgreSQL, where other processes may be working, the lanes of a killed process are free after 10 s. */
const MAX_WAIT_MS = 300_000;

/** Creates branches until the hub is gone; records each one that the hub acknowledged. */
async function write(hubUrl: string, prefix: string, acknowledged: Set<string>): Promise<void> {
  for (let at = 0; ; at++) {
    const branch = `${prefix}-${at}`;
    try {
      await createBranch({ hubUrl, accessToken: ACCESS_TOKEN, type: 'model', repo: 'admin/bert', branch });
      acknowledged.add(`refs/heads/${branch}`);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

test(`${KILLS} kills while changes are made lose no delivery of an acknowledged change (${engine})`, async () => {
  const random = seeded(20);
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-kill-'));
  await using database = await createTestDatabase();
  await using sink = await startSink();
  const settings = {
    ...(engine === 'postgres' && database.environment),
    MOONBASE_DATA_DIR: folder,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1',
  };
  try {
    let hub = await startHubProcess(settings);
    const connection = () => ({ hubUrl: hub.url, accessToken: ACCESS_TOKEN });
    await createRepo({ ...connection(), type: 'model', repo: 'admin/bert' });
    await createWebhook({
      ...connection(),
      webhook: { url: sink.url, watched: [{ type: 'model', name: 'admin/bert' }], domains: ['repo'] },
    });
    const acknowledged = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      const before = acknowledged.size;
      const writers = Array.from({ length: WRITERS }, (_, at) => write(hub.url, `k${kill}-w${at}`, acknowledged));
      // Every other kill comes after an acknowledged change, however slow the machine is.
      if (kill % 2 === 0) await until('a change is acknowledged', () => acknowledged.size > before);
      await pause(30 + 400 * random());
      await hub.kill();
      await Promise.all(writers);
      hub = await startHubProcess(settings);
    }

    const arrived = () => new Set([...sink.deliveries.values()].map(({ ref }) => ref));
    const lost = () => [...acknowledged].filter((ref) => !arrived().has(ref));
    for (const deadline = Date.now() + MAX_WAIT_MS; lost().length > 0 && Date.now() < deadline; ) await pause(100);
    const setAside = [];
    for await (const letter of listDeadLetters(connection())) setAside.push(letter);
    const exitStatus = await hub.stop();

    const duplicates = [...sink.deliveries.values()].reduce((sum, { times }) => sum + times - 1, 0);
    console.log(
      `acked ${acknowledged.size}, set aside ${setAside.length}, delivered ${sink.deliveries.size}, lost ${lost().length}, duplicate ${duplicates} (${engine}, ${KILLS} kills)`,
    );
    expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS / 2);
    expect(lost()).toEqual([]);
    // A change has one delivery, so repeated requests have the same id.
    expect(arrived().size).toBe(sink.deliveries.size);
    expect(exitStatus).toBe(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
