import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { commit, createRepo, deleteFile, downloadFile, fileExists, listFiles, uploadFiles } from '@huggingface/hub';
import { getBucket } from '@moonbase/client/repositories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from './files.ts';
import { programOf } from './python-clients.ts';
import { startWorld, type World } from './world.ts';

const FILES = 300;
/** `MOONBASE_TEST_SYNC_FILES=5000` syncs more. */
const SYNCED = Number(process.env.MOONBASE_TEST_SYNC_FILES ?? 1200);

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Runs `hf`; returns what it prints, or throws what it complains about. */
async function hf(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await world.hf('alice', args);
  if (status !== 0) throw new Error(stderr.slice(-2_000));
  return stdout + stderr;
}

/** Returns how many files `hf sync` would upload or download. */
const planned = async (action: 'upload' | 'download', from: string, to: string): Promise<number> =>
  (await hf('sync', from, to, '--dry-run')).split(`"action": "${action}"`).length - 1;

/** Runs `hf`, and kills it as soon as a condition is met. */
async function killed(args: readonly string[], isTime: () => Promise<boolean>): Promise<void> {
  const child = spawn(programOf('newest', 'hf'), args, { env: world.environment('alice'), stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await isTime())) await setTimeout(20);
  child.kill('SIGKILL');
  await ended;
}

/** Returns the number of successful requests of an operation. */
async function requests(operation: string): Promise<number> {
  const headers = { authorization: `Bearer ${world.as('admin').accessToken}` };
  const text = await (await fetch(`${world.hubUrl}/metrics`, { headers })).text();
  return Number(
    new RegExp(`^moonbase_http_requests_total\\{operation="${operation}",status="200"\\} (\\d+)`, 'm').exec(
      text,
    )?.[1] ?? 0,
  );
}

/** Returns the files of a folder by their paths. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(
    files.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'hex')]),
  );
  return Object.fromEntries(contents) as Record<string, string>;
}

test('huggingface_hub writes, lists, copies, reads and deletes the files of buckets', () => world.python('buckets'));

test('HfFileSystem follows the changes of a bucket', () => world.python('bucket_events'));

test('hf sync sends a folder and fetches it, and sends nothing the second time', async () => {
  const [from, to] = [await temporaryFolder(), await temporaryFolder()];
  for (let number = 0; number < FILES; number += 1) {
    const folder = join(from, `${number % 7}`, `${number % 3}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${number}.txt`), `file ${number} `.repeat(number));
  }
  await writeFile(join(from, 'large.bin'), Buffer.alloc(3_000_000, 'large '));
  await hf('buckets', 'create', 'alice/synced');
  await hf('sync', from, 'hf://buckets/alice/synced/folder');
  const batches = await requests('changeBucketFiles');
  const [shards, xorbs] = [await requests('uploadShardWithProgress'), await requests('uploadXorb')];
  expect(await hf('sync', from, 'hf://buckets/alice/synced/folder')).toContain('Nothing to sync');
  expect(await requests('changeBucketFiles')).toBe(batches);

  await hf('sync', 'hf://buckets/alice/synced/folder', to);
  expect(await contentsOf(to)).toEqual(await contentsOf(from));
  expect(await hf('sync', 'hf://buckets/alice/synced/folder', to)).toContain('Nothing to sync');

  const later = new Date(Date.now() + 5_000);
  await writeFile(join(from, 'large.bin'), Buffer.alloc(3_000_000, 'large '));
  await utimes(join(from, 'large.bin'), later, later);
  await rm(join(from, '0'), { recursive: true });
  await hf('sync', from, 'hf://buckets/alice/synced/folder', '--delete');
  // The bytes were sent before; only the time of change is new.
  expect(await requests('uploadXorb')).toBe(xorbs);
  expect(await requests('uploadShardWithProgress')).toBeGreaterThan(shards);
  await hf('sync', 'hf://buckets/alice/synced/folder', to, '--delete');
  expect(await contentsOf(to)).toEqual(await contentsOf(from));
});

test(`hf sync of ${SYNCED} files that is killed goes on where it was, both ways`, async () => {
  const [from, to] = [await temporaryFolder(), await temporaryFolder()];
  for (let number = 0; number < SYNCED; number += 1) {
    const folder = join(from, `${number % 10}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${number}.txt`), `file ${number} `.repeat(100));
  }
  await hf('buckets', 'create', 'alice/interrupted');
  const bucket = 'hf://buckets/alice/interrupted';
  const stored = async () => (await getBucket({ ...world.as('alice'), repo: 'alice/interrupted' })).totalFiles;
  const batches = await requests('changeBucketFiles');
  await killed(['sync', from, bucket], async () => (await requests('changeBucketFiles')) > batches);
  expect(await planned('upload', from, bucket)).toBe(SYNCED - (await stored()));
  await hf('sync', from, bucket);
  expect(await stored()).toBe(SYNCED);
  expect(await hf('sync', from, bucket)).toContain('Nothing to sync');

  const fetched = async () => (await readdir(to, { recursive: true })).length;
  await killed(['sync', bucket, to], async () => (await fetched()) > 50);
  expect(await planned('download', bucket, to)).toBeLessThan(SYNCED);
  await hf('sync', bucket, to);
  expect(await contentsOf(to)).toEqual(await contentsOf(from));
  expect(await hf('sync', bucket, to)).toContain('Nothing to sync');
});

test('hf buckets lists, copies and removes files', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a.txt'), 'hello');
  await hf('buckets', 'create', 'alice/by-hand', '--private');
  await hf('buckets', 'cp', join(folder, 'a.txt'), 'hf://buckets/alice/by-hand/x/a.txt');
  expect(await hf('buckets', 'ls', 'alice/by-hand', '--recursive')).toContain('x/a.txt');
  await hf('buckets', 'cp', 'hf://buckets/alice/by-hand/x/a.txt', join(folder, 'b.txt'));
  expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('hello');
  await hf('buckets', 'cp', 'hf://buckets/alice/by-hand/x/a.txt', 'hf://buckets/alice/by-hand/y.txt');
  await hf('buckets', 'rm', 'alice/by-hand/x/a.txt', '--yes');
  expect(await hf('buckets', 'ls', 'alice/by-hand', '--recursive')).not.toContain('x/a.txt');
  expect(await hf('buckets', 'info', 'alice/by-hand')).toContain('alice/by-hand');
});

test('@huggingface/hub uploads, lists, downloads, copies and deletes', async () => {
  const repo = { type: 'bucket', name: 'alice/of-javascript' } as const;
  const alice = world.as('alice');
  await createRepo({ ...alice, repo });
  const large = Buffer.alloc(2_000_000, 'text ');
  await uploadFiles({
    ...{ ...alice, repo },
    files: [
      { path: 'folder/large.bin', content: new Blob([large]) },
      { path: 'small.txt', content: new Blob(['hello']) },
    ],
  });
  const paths = async () => {
    const found: string[] = [];
    for await (const { path } of listFiles({ ...alice, repo, recursive: true })) found.push(path);
    return found;
  };
  expect(await paths()).toEqual(['folder/large.bin', 'small.txt']);
  expect(await fileExists({ ...alice, repo, path: 'none' })).toBe(false);
  const blob = await downloadFile({ ...alice, repo, path: 'folder/large.bin' });
  expect(Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer()).equals(large)).toBe(true);
  const small = await downloadFile({ ...alice, repo, path: 'small.txt' });
  expect(await small?.text()).toBe('hello');

  const hashes: string[] = [];
  for await (const file of listFiles({ ...alice, repo, path: 'folder' })) hashes.push(file.xetHash ?? '');
  await commit({
    ...{ ...alice, repo, title: 'A copy' },
    operations: [{ operation: 'copy', path: 'copy.bin', sourceRepo: repo, sourceXetHash: hashes[0] ?? '' }],
  });
  await deleteFile({ ...alice, repo, path: 'small.txt' });
  expect(await paths()).toEqual(['copy.bin', 'folder/large.bin']);
});
