import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { createGitStore } from '../../packages/server/src/platform/git/git-store.ts';
import { hasStockGit } from '../../packages/server/test/stock-git.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { age, pathsIn } from './aged-files.ts';
import { download, expectRefsForGit, expectSoundForGit, halfThere, lostOf, readAll } from './content-check.ts';
import {
  changeUntilGone,
  contentAt,
  isMadeOfOldChunks,
  MODEL,
  nothingAcknowledged,
  SECRET_KEY,
} from './content-load.ts';
import { inBucket, inFolder } from './file-storage.ts';
import { ACCESS_TOKEN, until } from './load.ts';
import { pause, seeded } from './pace.ts';
import { startSink } from './sink.ts';

const KILLS = 20;
/** `MOONBASE_TEST_XET_KILLS=20` kills more often. */
const XET_KILLS = Number(process.env.MOONBASE_TEST_XET_KILLS ?? 5);
/** The repository for files that are made of chunks which were sent for another one. */
const OTHER = 'admin/other';
const PACK_EVERY_MS = 500;

test.each([
  [KILLS, 'commits, uploads and merges', 'a folder', inFolder, false],
  [KILLS, 'commits, uploads and merges', 'a bucket', inBucket, false],
  [XET_KILLS, 'uploads through Xet', 'a folder', inFolder, true],
  [XET_KILLS, 'uploads through Xet', 'a bucket', inBucket, true],
] as const)(`%i kills during %s lose nothing, with %s (${engine})`, async (kills, _what, where, open, onlyXet) => {
  const random = seeded(20);
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-content-kill-'));
  const gitStore = createGitStore(join(folder, 'git'), { durable: true });
  await using storage = await open(folder);
  await using database = await createTestDatabase();
  await using sink = await startSink();
  const settings = {
    ...(engine === 'postgres' && database.environment),
    ...storage.settings,
    MOONBASE_DATA_DIR: folder,
    MOONBASE_SECRET_KEY: SECRET_KEY,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1',
  };
  let packing = true;
  let packed = 0;
  /** Packs loose objects beside the hub; every other time it breaks off in the middle. */
  async function pack(repoId: string): Promise<void> {
    for (let time = 0; packing; time++, await pause(PACK_EVERY_MS)) {
      let steps = 0;
      packed += await gitStore.packLoose(repoId, () => time % 2 === 1 && ++steps > 20);
    }
  }
  let hub = await startHubProcess(settings);
  let upkeep: Promise<void> | undefined;
  try {
    const connection = () => ({ hubUrl: hub.url, accessToken: ACCESS_TOKEN });
    const { id } = await createRepo({ ...connection(), ...MODEL });
    const watched = [{ type: MODEL.type, name: MODEL.repo }];
    await createWebhook({ ...connection(), webhook: { url: sink.url, watched, domains: ['repo'] } });
    const acknowledged = nothingAcknowledged();
    await gitStore.create(id);
    upkeep = pack(id);
    const startedAt = Date.now();
    for (let kill = 0; kill < kills; kill++) {
      const changes = changeUntilGone({ hubUrl: hub.url, store: storage.store, acknowledged, onlyXet }, `k${kill}`);
      const enough = acknowledged.commits.size + 1 + 5 * random();
      await Promise.race([changes, until('commits are acknowledged', () => acknowledged.commits.size >= enough)]);
      await pause(100 * random());
      await hub.kill();
      await changes;
      hub = await startHubProcess(settings);
    }
    packing = false;
    await upkeep;
    const tookMs = Date.now() - startedAt;

    const stored = await readAll(hub.url);
    const commits = [...acknowledged.commits, ...stored.history.slice(0, -1)];
    const undelivered = () => [
      ...commits.filter((id) => !sink.heads.has(id)),
      ...[...acknowledged.branches].filter((ref) => ![...sink.deliveries.values()].some((each) => each.ref === ref)),
    ];
    await until('all is delivered', () => undelivered().length === 0).catch(() => {});
    const lost = lostOf(stored, acknowledged);
    const { differing, bytes } = await download(hub.url, [...stored.files.keys()].filter(isDownloaded));
    const half = halfThere(stored);
    const gone: string[] = [];
    if (onlyXet) {
      await createRepo({ ...connection(), repo: OTHER });
      for (const path of acknowledged.paths)
        if (!(await isMadeOfOldChunks(hub.url, OTHER, contentAt(path)))) gone.push(path);
    }
    const sum = Object.values(acknowledged).reduce((total: number, { size }: Set<unknown>) => total + size, 0);
    if (hasStockGit) await expectRefsForGit(gitStore.folderOf(id), stored);

    expect(await hub.stop()).toBe(0);
    if (hasStockGit) expectSoundForGit(gitStore.folderOf(id));
    const temporaries = async () =>
      (await pathsIn(join(folder, 'git'))).filter((path) => /\/tmp_obj_[^/]*$/.test(path));
    const leftovers = async () => [...(await temporaries()), ...(await storage.unfinished())];
    const before = (await leftovers()).length;
    await age(await temporaries());
    await storage.age();
    hub = await startHubProcess(settings);
    await expect.poll(leftovers).toEqual([]);
    const exitStatus = await hub.stop();

    console.log(
      `${kills} kills${onlyXet ? ' during uploads through Xet' : ''} in ${Math.round(tookMs / 1000)} s, large files in ${where} (${engine}): acknowledged ${sum} ` +
        `(${acknowledged.commits.size} commits, ${acknowledged.uploads.size} large files, ${acknowledged.merged.size} merges, ` +
        `${acknowledged.branches.size} branches), lost ${lost.length}, half there ${half.length}, undelivered ` +
        `${undelivered().length}, ${bytes} bytes compared, ${packed} objects packed, ${before} leftovers deleted`,
    );
    expect({ lost, half, differing, gone, undelivered: undelivered() }).toEqual({
      ...{ lost: [], half: [], differing: [], gone: [], undelivered: [] },
    });
    expect(acknowledged.commits.size).toBeGreaterThan(kills);
    expect(exitStatus).toBe(0);
  } finally {
    packing = false;
    await hub.kill();
    await upkeep?.catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
});

/** Returns whether a file is downloaded; of most files in large commits only the ids are compared. */
const isDownloaded = (path: string): boolean => !path.startsWith('packs/') || path.includes('/1-of-');
