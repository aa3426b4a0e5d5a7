import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { tokenOf } from './harness.ts';
import { addLargeFile, type UpstreamHubs, upstreamHubs } from './upstream-hubs.ts';

const MEBIBYTE = 1024 * 1024;

/** Adds files of 5 MiB to `ada/m` at the upstream, which sends the first half of each and no more. */
async function withHalves(hubs: UpstreamHubs, count: number) {
  await createRepo({ ...hubs.upstream.as('ada'), repo: 'ada/m' });
  const files: { readonly path: string; readonly bytes: Buffer }[] = [];
  for (let at = 0; at < count; at++) files.push(await addLargeFile(hubs, 'ada/m', `${at}.bin`, 5 * MEBIBYTE));
  const ended: number[] = [];
  hubs.wire.let((request, response) => {
    const at = files.findIndex(({ path }) => request.url?.endsWith(path.slice(path.lastIndexOf('/'))));
    const bytes = files[at]?.bytes;
    if (!bytes) return undefined;
    response.once('close', () => ended.push(at));
    response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, bytes.length / 2));
    return true;
  });
  return { paths: files.map(({ path }) => path), ended };
}

test('a large file that nobody reads any more is given up', async () => {
  await using hubs = await upstreamHubs({}, { upstreamTimes: { lingerMs: 50 } });
  const { paths, ended } = await withHalves(hubs, 1);
  const leaving = new AbortController();
  const response = await hubs.ask(paths[0] ?? '', { signal: leaving.signal });
  await response.body?.getReader().read();
  expect(ended).toEqual([]);
  leaving.abort();
  await expect.poll(() => ended).toEqual([0]);
});

test('one caller takes half of the places for large files, and is told to come back for more', async () => {
  await using hubs = await upstreamHubs({}, { upstreamTimes: { answerMs: 2_000 } });
  await hubs.hub.people('carl');
  const { paths } = await withHalves(hubs, 5);
  const leaving = new AbortController();
  const responses = await Promise.all(paths.slice(0, 4).map((path) => hubs.ask(path, { signal: leaving.signal })));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const fifth = await hubs.ask(paths[4] ?? '');
  expect([fifth.status, fifth.headers.get('retry-after')]).toEqual([429, '5']);
  const joining = await hubs.ask(paths[3] ?? '', { signal: leaving.signal }, tokenOf('carl'));
  expect(joining.status).toBe(200);
  leaving.abort();
});
