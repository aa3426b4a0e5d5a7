import { lfsBatch } from '@moonbase/client/large-files';
import { expect, test } from 'vitest';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import { contentHub } from './content-hub.ts';

/** Fills the quota of ada but for 1,500 bytes; returns the function that uploads files at once. */
async function almostFull() {
  const at = await contentHub({}, { MOONBASE_QUOTA_USER_GIB: '1' });
  const first = await at.upload(bytesOf(10));
  const size = 1024 ** 3 - 1500;
  await at.hub.database.transaction((tx) =>
    tx.updateTable('repo_files').set({ size }).where('sha256', '=', first).execute(),
  );
  const urlFor = async (bytes: Uint8Array) => {
    const objects = [{ oid: nameOf(bytes).sha256, size: bytes.length }];
    const answer = await lfsBatch({ ...at.hub.as('ada'), repo: 'ada/m', operation: 'upload', objects });
    return answer.objects[0]?.actions?.upload?.href ?? '';
  };
  const uploadAtOnce = async (...files: Uint8Array[]): Promise<number[]> => {
    const urls = await Promise.all(files.map(urlFor));
    const puts = urls.map((url, place) => fetch(url, { method: 'PUT', body: new Uint8Array(files[place] ?? []) }));
    return (await Promise.all(puts)).map(({ status }) => status).sort((a, b) => a - b);
  };
  return { ...at, uploadAtOnce };
}

test('uploads at once cannot exceed a quota together, each in a batch of its own', async () => {
  await using at = await almostFull();
  expect(await at.uploadAtOnce(bytesOf(1000), bytesOf(1001), bytesOf(1002))).toEqual([200, 413, 413]);
  expect((await at.info()).usedStorage).toBeLessThanOrEqual(1024 ** 3);
});

test('the same file counts once for a quota, however often it is uploaded at once', async () => {
  await using at = await almostFull();
  expect(await at.uploadAtOnce(bytesOf(1000), bytesOf(1000), bytesOf(1000))).toEqual([200, 200, 200]);
  expect((await at.info()).usedStorage).toBe(1024 ** 3 - 500);
});
