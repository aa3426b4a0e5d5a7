import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import type { BlobStore } from '../../packages/server/src/platform/blobs/blob-store.ts';
import { createFolderStore } from '../../packages/server/src/platform/blobs/folder/folder-store.ts';
import { createS3Store } from '../../packages/server/src/platform/blobs/s3/s3-store.ts';
import { createGitStore } from '../../packages/server/src/platform/git/git-store.ts';
import { startS3Server } from '../../packages/server/test/blobs/s3-server.ts';
import { hasStockGit } from '../../packages/server/test/stock-git.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { AGED_MS, age, pathsIn } from './aged-files.ts';
import { download, expectRefsForGit, expectSoundForGit, halfThere, lostOf, readAll } from './content-check.ts';
import { changeUntilGone, MODEL, nothingAcknowledged, SECRET_KEY } from './content-load.ts';
import { ACCESS_TOKEN, until } from './load.ts';
import { pause, seeded } from './pace.ts';
import { startSink } from './sink.ts';

const KILLS = 20;
const PACK_EVERY_MS = 500;

/** The storage of the large files of a hub. */
interface FileStorage extends AsyncDisposable {
  readonly store: BlobStore;
  readonly settings: Readonly<Record<string, string>>;
  /** Makes unfinished uploads look three days older. */
  age(): Promise<void>;
  /** Returns the unfinished uploads. */
  unfinished(): Promise<string[]>;
}

async function inFolder(folder: string): Promise<FileStorage> {
  const unfinished = join(folder, 'blobs', 'unfinished');
  const entries = async () => (await readdir(unfinished).catch(() => [])).map((name) => join(unfinished, name));
  return {
    store: createFolderStore({ folder: join(folder, 'blobs'), now: () => Date.now() }),
    settings: {},
    age: async () => age(await entries()),
    unfinished: entries,
    async [Symbol.asyncDispose]() {},
  };
}

async function inBucket(): Promise<FileStorage> {
  const server = await startS3Server();
  const { endpoint, bucket, region, accessKey, secretKey } = server.bucket;
  const store = createS3Store(server.bucket, () => Date.now());
  return {
    store,
    settings: {
      MOONBASE_S3_ENDPOINT: endpoint,
      MOONBASE_S3_BUCKET: bucket,
      MOONBASE_S3_REGION: region,
      MOONBASE_S3_ACCESS_KEY: accessKey,
      MOONBASE_S3_SECRET_KEY: secretKey,
    },
    async age() {
      server.control.agedMs = AGED_MS;
    },
    unfinished: async () => [...server.uploads.keys(), ...server.objects.keys()].filter((key) => !/^blobs\//.test(key)),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test.each([
  ['a folder', inFolder],
  ['a bucket', inBucket],
])(`${KILLS} kills during commits, uploads and merges lose nothing, with %s (${engine})`, async (where, open) => {
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
    for (let kill = 0; kill < KILLS; kill++) {
      const changes = changeUntilGone({ hubUrl: hub.url, store: storage.store, acknowledged }, `k${kill}`);
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
      `${KILLS} kills in ${Math.round(tookMs / 1000)} s, large files in ${where} (${engine}): acknowledged ${sum} ` +
        `(${acknowledged.commits.size} commits, ${acknowledged.uploads.size} large files, ${acknowledged.merged.size} merges, ` +
        `${acknowledged.branches.size} branches), lost ${lost.length}, half there ${half.length}, undelivered ` +
        `${undelivered().length}, ${bytes} bytes compared, ${packed} objects packed, ${before} leftovers deleted`,
    );
    expect({ lost, half, differing, undelivered: undelivered() }).toEqual({
      ...{ lost: [], half: [], differing: [], undelivered: [] },
    });
    expect(acknowledged.commits.size).toBeGreaterThan(KILLS);
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
