import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { discardDeadLetter, listDeadLetters } from '@moonbase/client/admin';
import { createBranch, createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test, vi } from 'vitest';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { type HubProcess, startHubProcess } from '../hub-process.ts';
import { startSink } from './sink.ts';

const ACCESS_TOKEN = 'hf_tokenOfTheFaultTests';
const poisonedHub = fileURLToPath(new URL('poisoned-hub.js', import.meta.url));
/** On PostgreSQL, where others may be there, a process is taken for dead 20 s after it was last seen. */
const MAX_WAIT_MS = 40_000;
/** The first process noted nothing, the second one what it took together, the next three the suspect alone. */
const MAX_ENDS = 5;

test(`an event that ends the process is set aside after a few starts, and the others are delivered (${engine})`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-poison-'));
  await using database = await createTestDatabase();
  await using sink = await startSink();
  const settings = {
    MOONBASE_DATA_DIR: folder,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    ...(engine === 'postgres' && database.environment),
  };
  const start = () => startHubProcess(settings, poisonedHub);
  const letters = async ({ url: hubUrl }: HubProcess) => {
    const found = [];
    for await (const letter of listDeadLetters({ hubUrl, accessToken: ACCESS_TOKEN, retry: false })) found.push(letter);
    return found;
  };
  try {
    let hub = await start();
    const connection = () => ({ hubUrl: hub.url, accessToken: ACCESS_TOKEN, retry: false as const });
    await createRepo({ ...connection(), type: 'model', repo: 'admin/bert' });
    await createWebhook({
      ...connection(),
      webhook: { url: sink.url, watched: [{ type: 'user', name: 'admin' }], domains: ['repo'] },
    });
    const branch = (name: string) =>
      createBranch({ ...connection(), type: 'model', repo: 'admin/bert', branch: name }).catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error;
      });
    const arrived = (name: string) => vi.waitUntil(() => sink.arrivals.has(`refs/heads/${name}`), MAX_WAIT_MS);
    await branch('before');
    await arrived('before');
    const poisoning = createRepo({ ...connection(), type: 'model', repo: 'admin/poison' }).catch(() => {});
    await Promise.all([poisoning, hub.ended]);

    let ends = 1;
    for (let isOver = false; !isOver; ) {
      hub = await start();
      const ended = hub.ended.then(() => 'ended' as const);
      const found = vi
        .waitUntil(async () => (await letters(hub)).length > 0, { timeout: MAX_WAIT_MS, interval: 100 })
        .then(
          () => 'set aside' as const,
          () => ended,
        );
      isOver = (await Promise.race([ended, found])) === 'set aside';
      if (!isOver) ends += 1;
      expect(ends).toBeLessThanOrEqual(MAX_ENDS);
    }
    const [letter] = await letters(hub);
    expect(letter).toMatchObject({ queue: 'events', kind: 'repo', failures: 0, deaths: 3 });

    const startedAt = Date.now();
    await branch('usual');
    await arrived('usual');
    console.log(`set aside after ${ends} ends; the next event took ${Date.now() - startedAt} ms (${engine})`);
    await discardDeadLetter({ ...connection(), id: letter?.id ?? '' });
    expect(await hub.stop()).toBe(0);
    hub = await start();
    await branch('after');
    await arrived('after');
    expect(await hub.stop()).toBe(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
