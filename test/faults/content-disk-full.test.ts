import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { createFolderStore } from '../../packages/server/src/platform/blobs/folder/folder-store.ts';
import { createGitStore } from '../../packages/server/src/platform/git/git-store.ts';
import { hasStockGit } from '../../packages/server/test/stock-git.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { download, expectRefsForGit, expectSoundForGit, halfThere, lostOf, readAll } from './content-check.ts';
import { changeUntilGone, MODEL, nothingAcknowledged, SECRET_KEY } from './content-load.ts';
import { ACCESS_TOKEN, until } from './load.ts';
import { startSink } from './sink.ts';
import { mountSmallDisk } from './small-disk.ts';

const ROUNDS = 3;
/** Uploads leave 256 MiB free. */
const DISK_MEBIBYTES = 448;

test(`while the disk of the files is full, ${ROUNDS} times, changes are refused, and nothing is lost (${engine})`, async (context) => {
  await using disk = mountSmallDisk(DISK_MEBIBYTES);
  if (!disk) return context.skip('This machine does not let the test mount a file system');
  await using database = await createTestDatabase();
  await using sink = await startSink();
  const folder = join(disk.path, 'data');
  const hub = await startHubProcess({
    ...(engine === 'postgres' && database.environment),
    MOONBASE_DATA_DIR: folder,
    MOONBASE_SECRET_KEY: SECRET_KEY,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1',
    MOONBASE_LOG_LEVEL: 'silent',
  });
  try {
    const connection = { hubUrl: hub.url, accessToken: ACCESS_TOKEN };
    const { id } = await createRepo({ ...connection, ...MODEL });
    const watched = [{ type: MODEL.type, name: MODEL.repo }];
    await createWebhook({ ...connection, webhook: { url: sink.url, watched, domains: ['repo'] } });
    const store = createFolderStore({ folder: join(folder, 'blobs'), now: () => Date.now() });
    const acknowledged = nothingAcknowledged();
    const refusals: { readonly status: number; readonly error: string }[] = [];
    const { commits, uploads, merged } = acknowledged;
    for (let round = 0; round < ROUNDS; round++) {
      let isOver = false;
      const changes = changeUntilGone(
        {
          ...{ hubUrl: hub.url, store, acknowledged, isOver: () => isOver },
          onRefusal: (refusal) => refusals.push(refusal),
        },
        `r${round}`,
      );
      const goOn = async () => {
        const sizes = [commits, uploads, merged].map(({ size }) => size);
        await until('changes are made', () =>
          [commits, uploads, merged].every(({ size }, at) => size > (sizes[at] ?? 0)),
        );
      };
      await goOn();
      const before = refusals.length;
      disk.fill();
      await until('changes are refused', () => refusals.length > before + 20);
      const [path = ''] = acknowledged.paths;
      expect((await download(hub.url, [path])).differing).toEqual([]);
      disk.free();
      await goOn();
      isOver = true;
      await changes;
    }

    const stored = await readAll(hub.url);
    const lost = lostOf(stored, acknowledged);
    const half = halfThere(stored);
    const { differing } = await download(hub.url, [...stored.files.keys()]);
    const undelivered = () => [...commits].filter((commit) => !sink.heads.has(commit));
    await until('all is delivered', () => undelivered().length === 0).catch(() => {});
    const repository = createGitStore(join(folder, 'git'), { durable: true }).folderOf(id);
    if (hasStockGit) await expectRefsForGit(repository, stored);
    const entries = await readdir(folder, { recursive: true });
    const unfinished = entries.filter((name) => /tmp_obj_|\.stream$|-unfinished$/.test(name));
    const statuses = new Map<number, number>();
    for (const { status } of refusals) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    console.log(
      `the disk full ${ROUNDS} times (${engine}): acknowledged ${commits.size} commits, ${uploads.size} large files, ` +
        `${merged.size} merges; refused ${[...statuses].map(([status, count]) => `${count} with ${status}`).join(', ')}; ` +
        `lost ${lost.length}, half there ${half.length}, undelivered ${undelivered().length}, unfinished ${unfinished.length}`,
    );
    expect({ lost, half, differing, undelivered: undelivered(), unfinished }).toEqual({
      ...{ lost: [], half: [], differing: [], undelivered: [], unfinished: [] },
    });
    expect(refusals.filter(({ status }) => ![503, 507].includes(status))).toEqual([]);
    for (const { error } of refusals) expect(error).toMatch(/full|no space/i);
    expect(new Set(statuses.keys())).toEqual(new Set([503, 507]));
    expect(await hub.stop()).toBe(0);
    if (hasStockGit) expectSoundForGit(repository);
  } finally {
    await hub.kill();
  }
});
