import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMirror, getMirror, type Mirror, syncMirror } from '@moonbase/client/mirrors';
import { createRepo, listRefs } from '@moonbase/client/repositories';
import { createWebhook, getDelivery, listDeliveries } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { createGitStore } from '../../packages/server/src/platform/git/git-store.ts';
import { bareRemote } from '../../packages/server/test/bare-remote.ts';
import { stockGit } from '../../packages/server/test/git-folder.ts';
import { collect } from '../../packages/server/test/harness.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { ACCESS_TOKEN } from './load.ts';
import { pause, seeded } from './pace.ts';
import { startSink } from './sink.ts';

const KILLS = 20;
const SECRET_KEY = 'a key for the tests of faults, long enough';
const MIRROR = { type: 'model', repo: 'admin/letters' } as const;
const MAIN = 'refs/heads/main';

/** Commits and pushes a change after the other until it is told to stop; returns the commits. */
function startCommitting(remote: Awaited<ReturnType<typeof bareRemote>>) {
  const commits: string[] = [];
  let isStopped = false;
  const commit = async (number: number) => {
    const text = Array.from({ length: 200 }, (_, line) => `${number * line}\n`).join('');
    await writeFile(join(remote.client.folder, 'letters-clone', `${number % 7}.txt`), text);
    await remote.git('letters-clone', 'add', '--all');
    await remote.git('letters-clone', 'commit', '--quiet', '--message', `Change ${number}`);
    await remote.git('letters-clone', 'push', '--quiet', 'origin', 'HEAD');
    commits.push(await remote.git('letters-clone', 'rev-parse', 'HEAD'));
  };
  const loop = (async () => {
    for (let number = 0; !isStopped; number++) await commit(number);
  })();
  return {
    commits,
    async stop() {
      isStopped = true;
      await loop;
    },
  };
}

test(`a mirror whose hub is killed ${KILLS} times loses no update and has none in part`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-mirror-'));
  await using database = await createTestDatabase('empty');
  await using remote = await bareRemote();
  await using sink = await startSink();
  const url = await remote.create('letters');
  const committing = startCommitting(remote);
  const settings = {
    ...{ MOONBASE_SECRET_KEY: SECRET_KEY, MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN, MOONBASE_MIRROR_MIN_INTERVAL: '1' },
    ...(engine === 'postgres' ? database.environment : {}),
    MOONBASE_DATA_DIR: folder,
  };
  try {
    const random = seeded(7);
    let [repoId, webhookId] = ['', ''];
    for (let kills = 0; kills <= KILLS; kills++) {
      const hub = await startHubProcess(settings);
      const admin = { hubUrl: hub.url, accessToken: ACCESS_TOKEN };
      if (kills === 0) {
        repoId = (await createRepo({ ...admin, repo: MIRROR.repo })).id;
        const watched = [{ type: 'model' as const, name: MIRROR.repo }];
        const { webhook } = await createWebhook({ ...admin, webhook: { url: sink.url, watched, domains: ['repo'] } });
        webhookId = webhook.id;
        await createMirror({ ...admin, ...MIRROR, url, interval: 1 });
      }
      const one = { ...admin, ...MIRROR };
      if (kills < KILLS) {
        const before = await getMirror(one);
        await syncMirror(one);
        // Some syncs end, and the others are killed at any time.
        const isReached = ({ syncing, lastSyncedAt }: Mirror) =>
          kills % 3 === 0 ? lastSyncedAt !== before.lastSyncedAt : syncing || lastSyncedAt !== before.lastSyncedAt;
        await expect.poll(async () => isReached(await getMirror(one)), { interval: 10 }).toBe(true);
        await pause(random() * 1_000);
        await hub.kill();
        continue;
      }
      await committing.stop();
      const last = committing.commits.at(-1);
      await expect
        .poll(async () => {
          await syncMirror(one);
          await pause(1_000);
          return (await listRefs(one)).branches.find(({ ref }) => ref === MAIN)?.targetCommit;
        })
        .toBe(last);
      await expect.poll(() => getMirror(one)).toMatchObject({ state: 'synced', failures: 0, skippedRefs: [] });
      // Each event continues where the one before has ended, and every one was delivered.
      const ofWebhook = { ...admin, webhookId };
      const logged = () => collect(listDeliveries(ofWebhook));
      await expect.poll(async () => (await logged()).filter(({ status }) => status !== 'delivered')).toEqual([]);
      const moves: { readonly oldSha: string | null; readonly newSha: string | null }[] = [];
      for (const { id } of (await logged()).toReversed()) {
        const { payload } = await getDelivery({ ...ofWebhook, logId: id });
        moves.push(...(payload.updatedRefs ?? []).filter(({ ref }) => ref === MAIN));
      }
      for (const [at, { oldSha }] of moves.entries()) if (at > 0) expect(oldSha).toBe(moves[at - 1]?.newSha);
      expect(moves.at(-1)?.newSha).toBe(last);
      expect(moves.filter(({ newSha }) => !sink.heads.has(newSha ?? ''))).toEqual([]);
      expect(moves.length).toBeGreaterThanOrEqual(KILLS / 3);
      expect(await hub.stop()).toBe(0);
      const store = createGitStore(join(folder, 'git'), { durable: false });
      expect(stockGit(store, repoId, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
      expect(stockGit(store, repoId, 'rev-parse', MAIN)).toBe(last);
    }
  } finally {
    await committing.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
