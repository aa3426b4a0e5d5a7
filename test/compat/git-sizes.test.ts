import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRepo } from '@moonbase/client/repositories';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { remoteOf } from '../../packages/server/test/git-client.ts';
import { type HubProcess, startHubProcess } from '../hub-process.ts';
import { type LfsClient, lfsClient } from './lfs-client.ts';

/**
 * Many files, many clones and large packs against the built hub. The sizes are small here; the environment sets others,
 * and then the times and the memory of the hub are printed.
 */
const sizeOf = (name: string, usual: number) => Number(process.env[`MOONBASE_TEST_${name}`] ?? usual);
const FILES = sizeOf('CLONE_FILES', 500);
const CLONES = sizeOf('CLONES', 20);
const COMMITS = sizeOf('PUSH_COMMITS', 500);
const PACK_MIB = sizeOf('PUSH_MIB', 24);
const LFS_FILES = sizeOf('LFS_FILES', 100);
const LFS_MIB = sizeOf('LFS_MIB', 16);
/** What the hub may need beyond what it has after its start. */
const MAX_GROWTH_MIB = 250;

const MEBIBYTE = 1024 * 1024;
const TOKEN = 'hf_administratorOfTheWorld';
let hub: HubProcess;
let client: LfsClient;
let home: LfsClient;
beforeAll(async () => {
  home = await lfsClient();
  hub = await startHubProcess({ MOONBASE_DATA_DIR: home.pathOf('data'), MOONBASE_ADMIN_TOKEN: TOKEN });
});
afterAll(async () => {
  await hub.stop();
  await home[Symbol.asyncDispose]();
});
beforeEach(async () => {
  client = await lfsClient();
});
afterEach(() => client[Symbol.asyncDispose]());

const as = () => ({ hubUrl: hub.url, accessToken: TOKEN });

/** Creates a model and a clone of it in the folder `clone`; returns its URL. */
async function newModel(name: string): Promise<string> {
  await createRepo({ ...as(), repo: `admin/${name}` });
  const url = remoteOf(as(), `admin/${name}`);
  await client.run('.', 'clone', '--quiet', url, 'clone');
  return url;
}

/** Returns the largest memory that the hub has had, in MiB; 0 on systems without `/proc`. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${hub.pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Runs a step, prints its time and the memory of the hub if sizes were set, and bounds the latter. */
async function measured<T>(what: string, step: () => Promise<T>): Promise<T> {
  const [before, began] = [await memory(), performance.now()];
  const result = await step();
  const [after, seconds] = [await memory(), (performance.now() - began) / 1000];
  if (Object.keys(process.env).some((name) => /^MOONBASE_TEST_(CLONE|PUSH|LFS)/.test(name)))
    process.stderr.write(`${what}: ${seconds.toFixed(1)} s, the hub had up to ${after.toFixed(0)} MiB\n`);
  expect(after - before).toBeLessThan(MAX_GROWTH_MIB);
  return result;
}

const commit = async () => {
  await client.run('clone', 'add', '--all');
  await client.run('clone', 'commit', '--quiet', '--message', 'Files');
};
const push = () => client.run('clone', 'push', '--quiet', 'origin', 'main');

test('a repository of many files is pushed, and cloned by many at once', async () => {
  const url = await newModel('files');
  for (let folder = 0; folder * 100 < FILES; folder++) {
    await mkdir(client.pathOf('clone', `${folder}`));
    for (let file = 0; file < Math.min(100, FILES - folder * 100); file++)
      await writeFile(client.pathOf('clone', `${folder}`, `${file}.txt`), `${folder} ${file}\n`.repeat(50));
  }
  await commit();
  await measured(`push of ${FILES} files`, push);
  await measured(`clone of ${FILES} files`, () => client.run('.', 'clone', '--quiet', url, 'one'));
  await measured(`${CLONES} clones at once`, () =>
    Promise.all(
      Array.from({ length: CLONES }, (_, number) =>
        client.run('.', 'clone', '--quiet', '--no-checkout', url, `at-once-${number}`),
      ),
    ),
  );
  const head = await client.run('clone', 'rev-parse', 'HEAD');
  for (const where of ['one', ...Array.from({ length: CLONES }, (_, number) => `at-once-${number}`)])
    expect(await client.run(where, 'rev-parse', 'HEAD')).toBe(head);
  expect((await client.run('one', 'ls-files')).split('\n')).toHaveLength(FILES + 1);
  expect(await client.run('one', 'fsck', '--full', '--strict')).toBe('');
});

test('many commits are pushed at once', async () => {
  const url = await newModel('commits');
  const lines = Array.from({ length: COMMITS }, (_, number) => {
    const text = `commit ${number}`;
    return [
      'commit refs/heads/main',
      `committer Ada <ada@example.com> ${1_700_000_000 + number} +0000`,
      `data ${text.length}\n${text}`,
      ...(number === 0 ? ['from refs/heads/main^0'] : []),
      `M 100644 inline ${number % 50}/${number}.txt\ndata ${text.length}\n${text}`,
    ].join('\n');
  });
  await writeFile(client.pathOf('stream'), `${lines.join('\n')}\n`);
  await client.run('clone', 'config', 'alias.import', '!git fast-import --quiet <../stream');
  await client.run('clone', 'import');
  await measured(`push of ${COMMITS} commits`, push);
  await measured(`clone of ${COMMITS} commits`, () => client.run('.', 'clone', '--quiet', url, 'again'));
  expect(await client.run('again', 'rev-list', '--count', 'HEAD')).toBe(String(COMMITS + 1));
});

test('a large pack is pushed and cloned', async () => {
  const url = await newModel('pack');
  for (let file = 0; file * 8 < PACK_MIB; file++)
    await writeFile(client.pathOf('clone', `${file}.dat`), randomBytes(8 * MEBIBYTE));
  await commit();
  await measured(`push of a pack of ${PACK_MIB} MiB`, push);
  await measured(`clone of a pack of ${PACK_MIB} MiB`, () => client.run('.', 'clone', '--quiet', url, 'again'));
  expect(await client.run('again', 'rev-parse', 'HEAD')).toBe(await client.run('clone', 'rev-parse', 'HEAD'));
});

test('many large files are pushed and cloned', async () => {
  const url = await newModel('large-files');
  const bytes = Math.ceil((LFS_MIB * MEBIBYTE) / LFS_FILES);
  const hashes = new Map<string, string>();
  for (let file = 0; file < LFS_FILES; file++) {
    const content = randomBytes(bytes);
    hashes.set(`${file}.bin`, createHash('sha256').update(content).digest('hex'));
    await writeFile(client.pathOf('clone', `${file}.bin`), content);
  }
  await commit();
  await measured(`push of ${LFS_FILES} large files, ${LFS_MIB} MiB`, push);
  await measured(`clone of ${LFS_FILES} large files, ${LFS_MIB} MiB`, () =>
    client.run('.', 'clone', '--quiet', url, 'again'),
  );
  for (const [path, hash] of hashes)
    expect(
      createHash('sha256')
        .update(await client.read('again', path))
        .digest('hex'),
    ).toBe(hash);
});
