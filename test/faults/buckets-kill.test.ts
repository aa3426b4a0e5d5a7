import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeBucketFiles, getBucketPathsInfo, listBucketTree } from '@moonbase/client/content';
import { createBucket, getBucket } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { bytesOf } from '../../packages/server/test/blobs/bytes.ts';
import { collect } from '../../packages/server/test/harness.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { uploadByXet, type XetToken } from '../../packages/server/test/xet-client.ts';
import { startHubProcess } from '../hub-process.ts';
import { ACCESS_TOKEN, until } from './load.ts';
import { pause, seeded } from './pace.ts';

const KILLS = 5;
const FILES = 5000;
const SIZE = 1000;
const REPO = 'admin/data';
const SECRET_KEY = 'a key for the tests of faults, long enough';

const pathsOf = (round: number): string[] => Array.from({ length: FILES }, (_, at) => `round-${round}/${at}.bin`);

/** Returns the lines that add the files of a round and delete those of the one before. */
const operationsOf = (round: number, xetHash: string): Blob => {
  const added = pathsOf(round).map((path) => ({ type: 'addFile', path, xetHash, mtime: 1_700_000_000_000 + round }));
  const deleted = round === 0 ? [] : pathsOf(round - 1).map((path) => ({ type: 'deleteFile', path }));
  return new Blob([...added, ...deleted].map((line) => `${JSON.stringify(line)}\n`));
};

test(`a batch of ${FILES} files whose hub is killed, ${KILLS} times, leaves no file in part and can be repeated (${engine})`, async () => {
  const random = seeded(22);
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-buckets-kill-'));
  await using database = await createTestDatabase('empty');
  const settings = {
    ...(engine === 'postgres' && database.environment),
    MOONBASE_DATA_DIR: folder,
    MOONBASE_SECRET_KEY: SECRET_KEY,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
  };
  let hub = await startHubProcess(settings);
  try {
    const connection = () => ({ hubUrl: hub.url, accessToken: ACCESS_TOKEN, repo: REPO });
    await createBucket(connection());
    const headers = { authorization: `Bearer ${ACCESS_TOKEN}` };
    const answer = await fetch(`${hub.url}/api/buckets/${REPO}/xet-write-token`, { headers });
    const { hash } = await uploadByXet((await answer.json()) as XetToken, bytesOf(SIZE, 'file'), { areNamed: false });
    const stored = async () => collect(listBucketTree({ ...connection(), recursive: true }));
    const changed = (round: number) => changeBucketFiles({ ...connection(), operations: operationsOf(round, hash) });
    const interrupted: number[] = [];
    for (let round = 0; round < KILLS; round++) {
      const batch = changed(round).catch(() => undefined);
      const first = { paths: pathsOf(round).slice(0, 1) };
      await until(
        'some files are there',
        async () => (await getBucketPathsInfo({ ...connection(), ...first })).length > 0,
      );
      await pause(100 * random());
      await hub.kill();
      await batch;
      hub = await startHubProcess(settings);
      const files = await stored();
      const { totalFiles, size } = await getBucket(connection());
      // Each file has all that its line says, or is as it was, and the totals are those of the files.
      expect({ totalFiles, size }).toEqual({ totalFiles: files.length, size: files.length * SIZE });
      for (const file of files) expect(file).toMatchObject({ type: 'file', size: SIZE, xetHash: hash });
      interrupted.push(files.filter(({ path }) => path.startsWith(`round-${round}/`)).length);
      expect(await changed(round)).toMatchObject({ success: true, failed: [] });
      expect((await stored()).map(({ path }) => path)).toEqual(pathsOf(round).toSorted());
    }
    console.log(`${KILLS} kills during batches (${engine}): ${interrupted.join(', ')} of ${FILES} files were there`);
    expect(Math.min(...interrupted)).toBeGreaterThan(0);
    expect(await hub.stop()).toBe(0);
  } finally {
    await hub.kill();
    await rm(folder, { recursive: true, force: true });
  }
});
