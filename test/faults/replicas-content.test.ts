import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import type { BlobStore } from '../../packages/server/src/platform/blobs/blob-store.ts';
import { createFolderStore } from '../../packages/server/src/platform/blobs/folder/folder-store.ts';
import { createS3Store } from '../../packages/server/src/platform/blobs/s3/s3-store.ts';
import { startS3Server } from '../../packages/server/test/blobs/s3-server.ts';
import { bucketSettings } from '../../packages/server/test/git-bucket-fixture.ts';
import { gitClient, remoteOf } from '../../packages/server/test/git-client.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { type HubProcess, startHubProcess } from '../hub-process.ts';
import { download, halfThere, lostOf, readAll } from './content-check.ts';
import { changeUntilGone, MODEL, nothingAcknowledged, SECRET_KEY } from './content-load.ts';
import { ACCESS_TOKEN, until } from './load.ts';
import { pause } from './pace.ts';
import { startRoundRobin } from './round-robin.ts';
import { startSink } from './sink.ts';

const KILL_EVERY_MS = 10_000;
/** `MOONBASE_TEST_REPLICA_KILLS=30` kills for five minutes. */
const KILLS = Number(process.env.MOONBASE_TEST_REPLICA_KILLS ?? 4);
const SHARED_KILLS = Math.min(KILLS, 2);
/** Bounds what has to be read back, however long the processes take to start. */
const CHANGES_PER_KILL = 400;
const TIMEOUT_MS = 600_000 + KILLS * 60_000;
const ROLES = ['api', 'api', 'worker', 'worker'] as const;

/** Where the processes of a hub keep git objects and large files. */
interface Place extends AsyncDisposable {
  readonly store: BlobStore;
  readonly settings: Readonly<Record<string, string>>;
  /** Returns the data folder of a process. */
  folderOf(slot: number): string;
  /** Loses what a process had on its disk. */
  lose(slot: number): Promise<void>;
}

/** A bucket, and a disk for each process. */
async function inBucket(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'moonbase-replicas-'));
  const server = await startS3Server();
  const store = createS3Store(server.bucket, () => Date.now());
  const folderOf = (slot: number) => join(root, String(slot));
  const lose = async (slot: number) => {
    await rm(folderOf(slot), { recursive: true, force: true });
    await mkdir(folderOf(slot));
  };
  for (const slot of ROLES.keys()) await lose(slot);
  return {
    store,
    folderOf,
    lose,
    settings: { ...bucketSettings(server), MOONBASE_GIT_STORE: 'bucket' },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Makes a folder appear at another path as well, by a mount if this user may. */
async function mountAt(path: string, folder: string): Promise<() => Promise<void>> {
  await mkdir(path);
  try {
    execFileSync('mount', ['--bind', folder, path], { stdio: 'ignore' });
    return async () => void execFileSync('umount', [path]);
  } catch {
    await rm(path, { recursive: true });
    await symlink(folder, path);
    return async () => {};
  }
}

/** One folder, mounted twice: each mount has a process of each role. */
async function inSharedFolder(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'moonbase-shared-'));
  const folder = join(root, 'volume');
  await mkdir(folder);
  const unmounts = [await mountAt(join(root, '0'), folder), await mountAt(join(root, '1'), folder)];
  return {
    store: createFolderStore({ folder: join(folder, 'blobs'), now: () => Date.now() }),
    settings: {},
    folderOf: (slot) => join(root, String(slot % 2)),
    async lose() {},
    async [Symbol.asyncDispose]() {
      for (const unmount of unmounts) await unmount();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Pushes to a branch of its own until it is over; notes the commits that were acknowledged. */
async function pushUntilOver(hubUrl: string, acknowledged: Set<string>, isOver: () => boolean): Promise<void> {
  await using client = await gitClient();
  const remote = remoteOf({ hubUrl, accessToken: ACCESS_TOKEN }, MODEL.repo);
  await client.run('.', 'init', '--quiet', 'clone');
  for (let at = 0; !isOver(); at++) {
    await writeFile(join(client.folder, 'clone', `${at}.txt`), `pushed ${at}`);
    await client.run('clone', 'add', '--all');
    await client.run('clone', 'commit', '--quiet', '--message', `Push ${at}`);
    const commit = await client.run('clone', 'rev-parse', 'HEAD');
    const { code } = await client.attempt('clone', 'push', '--quiet', remote, 'HEAD:pushed');
    if (code === 0) acknowledged.add(commit);
    else await pause(100);
  }
}

test.runIf(engine === 'postgres').each([
  ['a bucket, and loses its disk', KILLS, inBucket],
  ['one folder that is mounted twice', SHARED_KILLS, inSharedFolder],
])(
  'nothing is lost while one of four processes is killed every ten seconds, with %s',
  async (where, kills, open) => {
    await using place = await open();
    await using database = await createTestDatabase();
    await using sink = await startSink();
    const start = (slot: number) =>
      startHubProcess({
        ...{ ...database.environment, ...place.settings },
        ...{ MOONBASE_DATA_DIR: place.folderOf(slot), MOONBASE_ROLE: ROLES[slot] ?? 'all' },
        ...{ MOONBASE_SECRET_KEY: SECRET_KEY, MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN },
        MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1',
      });
    const hubs: HubProcess[] = await Promise.all(ROLES.map((_, slot) => start(slot)));
    await using _all = {
      async [Symbol.asyncDispose]() {
        await Promise.all(hubs.map((hub) => hub.kill()));
      },
    };
    const urlsOfApi = () => hubs.filter((_, slot) => ROLES[slot] === 'api').map(({ url }) => url);
    await using balancer = await startRoundRobin(urlsOfApi());
    const connection = { hubUrl: balancer.url, accessToken: ACCESS_TOKEN, retry: false as const };
    await createRepo({ ...connection, ...MODEL });
    const watched = [{ type: MODEL.type, name: MODEL.repo }];
    await createWebhook({ ...connection, webhook: { url: sink.url, watched, domains: ['repo'] } });

    const acknowledged = nothingAcknowledged();
    const pushed = new Set<string>();
    const refusals = new Map<string, number>();
    let isOver = false;
    let killed = 0;
    const count = () => Object.values(acknowledged).reduce((total: number, { size }: Set<unknown>) => total + size, 0);
    const load = Promise.all([
      changeUntilGone(
        {
          ...{ hubUrl: balancer.url, store: place.store, acknowledged, isOver: () => isOver },
          async mayGoOn() {
            while (!isOver && count() >= CHANGES_PER_KILL * (killed + 1)) await pause(50);
          },
          onRefusal({ status, error }) {
            const key = `${status} ${error.slice(0, 60)}`;
            refusals.set(key, (refusals.get(key) ?? 0) + 1);
          },
        },
        'c',
      ),
      pushUntilOver(balancer.url, pushed, () => isOver),
    ]);
    const startedAt = Date.now();
    for (let kill = 0; kill < kills; kill++) {
      await pause(KILL_EVERY_MS);
      const slot = kill % ROLES.length;
      const before = hubs[slot];
      await before?.kill();
      await place.lose(slot);
      const hub = await start(slot);
      hubs[slot] = hub;
      if (before && ROLES[slot] === 'api') balancer.replace(before.url, hub.url);
      killed++;
    }
    await pause(2_000);
    isOver = true;
    await load;
    const tookMs = Date.now() - startedAt;

    // Everything is read by a process whose disk has just been emptied.
    await hubs[1]?.kill();
    await place.lose(1);
    const last = await start(1);
    hubs[1] = last;
    const stored = await readAll(last.url);
    const commits = [...acknowledged.commits, ...pushed];
    const undelivered = () => [
      ...commits.filter((id) => !sink.heads.has(id)),
      ...[...acknowledged.branches].filter((ref) => ![...sink.deliveries.values()].some((each) => each.ref === ref)),
    ];
    await until('all is delivered', () => undelivered().length === 0).catch(() => {});
    const lost = lostOf(stored, acknowledged);
    const { differing, bytes } = await download(last.url, [...stored.files.keys()].filter(isDownloaded));
    const half = halfThere(stored);
    await using client = await gitClient();
    await client.run(
      '.',
      'clone',
      '--quiet',
      '--mirror',
      remoteOf({ ...connection, hubUrl: last.url }, MODEL.repo),
      'clone',
    );
    const fsck = await client.run('clone', 'fsck', '--full', '--strict');
    const inClone = new Set((await client.run('clone', 'rev-list', '--all')).split('\n'));
    const notPushed = [...pushed].filter((id) => !inClone.has(id));
    const refs = (await client.run('clone', 'for-each-ref', '--format=%(objectname) %(refname)'))
      .split('\n')
      .toSorted();
    const wanted = stored.refs.map(({ ref, targetCommit }) => `${targetCommit} ${ref}`).toSorted();
    const disks = await Promise.all(ROLES.map((_, slot) => readdir(place.folderOf(slot), { recursive: true })));
    console.log(
      `${kills} kills in ${Math.round(tookMs / 1000)} s with ${where}: acknowledged ${count()} (${acknowledged.commits.size} commits, ` +
        `${acknowledged.uploads.size} large files, ${acknowledged.merged.size} merges, ${acknowledged.branches.size} branches) and ` +
        `${pushed.size} pushes, lost ${lost.length + notPushed.length}, half there ${half.length}, undelivered ` +
        `${undelivered().length}, ${bytes} bytes compared, files on the disks ${disks.map(({ length }) => length).join(', ')}, ` +
        `refusals ${JSON.stringify(Object.fromEntries(refusals))}`,
    );
    expect({ lost, half, differing, notPushed, undelivered: undelivered(), fsck }).toEqual({
      ...{ lost: [], half: [], differing: [], notPushed: [], undelivered: [], fsck: '' },
    });
    expect(refs).toEqual(wanted);
    expect(acknowledged.commits.size).toBeGreaterThan(kills);
    expect(pushed.size).toBeGreaterThan(0);
    for (const hub of hubs) expect(await hub.stop()).toBe(0);
  },
  TIMEOUT_MS,
);

/** All but most files of large commits, whose ids are compared. */
const isDownloaded = (path: string): boolean => !path.startsWith('packs/') || path.includes('/1-of-');
