import { lstat, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listBucketTree } from '@moonbase/client/content';
import { cancelJob, getJob } from '@moonbase/client/jobs';
import { createBucket, deleteBucket, moveRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { add, change, getFile, putFile } from './buckets-fixture.ts';
import { checkouts } from './checkouts-fixture.ts';
import { collect, person } from './harness.ts';

const BUCKET = { type: 'bucket' as const, source: 'ada/data', mountPath: '/data' };
const TIME = 1_700_000_000_123;

/** Starts a hub whose jobs a test controls, with the bucket `ada/data`. */
async function withBucket(files: Readonly<Record<string, string>> = {}) {
  const at = await checkouts();
  const { hub, ada } = at;
  await createBucket({ ...ada, repo: 'ada/data' });
  for (const [path, text] of Object.entries(files)) await putFile(hub, 'ada', 'ada/data', path, Buffer.from(text));
  const paths = async (repo = 'ada/data') =>
    (await collect(listBucketTree({ ...ada, repo, recursive: true }))).map(({ path }) => path);
  const read = async (path: string, repo = 'ada/data') => (await getFile(hub, 'ada', `${repo}/resolve/${path}`)).text();
  /** Runs a job to its end: its container does what `work` does with its first folder. */
  const runTo = async (exitCode: number, work: (folder: string) => Promise<void>, volume: object = {}) => {
    const { id, folders } = await at.begin({ ...BUCKET, ...volume });
    await work(folders[0] ?? '');
    at.runner.exit(exitCode);
    return { id, ...(await at.ended(id)) };
  };
  return { ...at, paths, read, runTo, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

test('a job finds the files of a bucket, and the bucket gets what the job adds, changes and deletes', async () => {
  await using at = await withBucket({ 'a/kept': 'kept', 'a/old': 'old', gone: 'gone' });
  await change(at.hub, 'ada', 'ada/data', add('empty', { hash: '0'.repeat(64) }));
  const before = await at.paths();
  const { stage } = await at.runTo(0, async (folder) => {
    expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(['a', 'a/kept', 'a/old', 'empty', 'gone']);
    expect(await readFile(join(folder, 'a/kept'), 'utf8')).toBe('kept');
    expect(Math.round((await lstat(join(folder, 'a/kept'))).mtimeMs)).toBe(TIME);
    // A container has another user than the hub.
    for (const [path, mode] of [
      ['', 0o777],
      ['a', 0o777],
      ['a/kept', 0o666],
    ] as const)
      expect([path, (await lstat(join(folder, path))).mode & 0o777]).toEqual([path, mode]);
    await writeFile(join(folder, 'a/old'), 'newer');
    await rm(join(folder, 'gone'));
    await mkdir(join(folder, 'b'));
    await writeFile(join(folder, 'b/new'), 'new');
    await writeFile(join(folder, 'b/nothing'), '');
    await utimes(join(folder, 'b/new'), new Date(TIME), new Date(TIME));
  });
  expect(stage).toBe('COMPLETED');
  expect(before).toEqual(['a/kept', 'a/old', 'empty', 'gone']);
  expect(await at.paths()).toEqual(['a/kept', 'a/old', 'b/new', 'b/nothing', 'empty']);
  expect([await at.read('a/old'), await at.read('b/new'), await at.read('b/nothing')]).toEqual(['newer', 'new', '']);
  const files = await collect(listBucketTree({ ...at.ada, repo: 'ada/data', recursive: true }));
  expect(files.find(({ path }) => path === 'b/new')).toMatchObject({ mtime: new Date(TIME).toISOString() });
  expect(await at.left()).toEqual([]);
});

test('what others change in the bucket meanwhile stays, unless the job changes the same file', async () => {
  await using at = await withBucket({ theirs: 'old', both: 'old' });
  await at.runTo(0, async (folder) => {
    await putFile(at.hub, 'ada', 'ada/data', 'theirs', Buffer.from('theirs'));
    await putFile(at.hub, 'ada', 'ada/data', 'both', Buffer.from('theirs'));
    await putFile(at.hub, 'ada', 'ada/data', 'added', Buffer.from('theirs'));
    await writeFile(join(folder, 'both'), 'of the job');
  });
  expect([await at.read('theirs'), await at.read('both'), await at.read('added')]).toEqual([
    ...['theirs', 'of the job', 'theirs'],
  ]);
});

test('a job that fails or is canceled leaves what it wrote, and one that only reads leaves nothing', async () => {
  await using at = await withBucket({ x: '1' });
  const failed = await at.runTo(3, (folder) => writeFile(join(folder, 'failed'), ''));
  expect(failed).toMatchObject({ stage: 'ERROR', message: 'Exit code 3' });
  const { id, folders } = await at.begin(BUCKET);
  await writeFile(join(folders[0] ?? '', 'canceled'), '');
  await cancelJob({ ...at.ada, jobId: id });
  await expect.poll(at.leftAfterRound).toEqual([]);
  await at.runTo(0, (folder) => writeFile(join(folder, 'read'), ''), { readOnly: true });
  expect(await at.paths()).toEqual(['canceled', 'failed', 'x']);
});

test('a folder of a bucket is mounted alone, also one that is not there yet, but not to be read', async () => {
  await using at = await withBucket({ 'in/a': '1', other: '2' });
  await at.runTo(
    0,
    async (folder) => {
      expect(await readdir(folder)).toEqual(['a']);
      await rm(join(folder, 'a'));
      await writeFile(join(folder, 'b'), '3');
    },
    { path: 'in' },
  );
  await at.runTo(0, (folder) => writeFile(join(folder, 'c'), '4'), { path: 'new/one' });
  expect(await at.paths()).toEqual(['in/b', 'new/one/c', 'other']);
  const { id } = await at.run({ ...BUCKET, path: 'nowhere', readOnly: true });
  expect(await at.ended(id)).toMatchObject({ stage: 'ERROR', message: expect.stringContaining('no folder nowhere') });
});

test('links lead nowhere, and a path that no bucket can have ends the job with a sentence', async () => {
  await using at = await withBucket();
  const secret = join(at.volumes, 'secret');
  await mkdir(secret);
  await writeFile(join(secret, 'key'), 'of the operator');
  const linking = await at.runTo(0, async (folder) => {
    await symlink(join(secret, 'key'), join(folder, 'file'));
    await symlink(secret, join(folder, 'folder'));
    await writeFile(join(folder, 'mine'), 'mine');
  });
  expect([linking.stage, await at.paths()]).toEqual(['COMPLETED', ['mine']]);
  const broken = await at.runTo(0, (folder) => writeFile(join(folder, 'a\nb'), 'x'));
  expect(broken).toMatchObject({ stage: 'ERROR', message: expect.stringContaining('control characters') });
  expect([await at.paths(), await readFile(join(secret, 'key'), 'utf8')]).toEqual([['mine'], 'of the operator']);
});

test('whoever may no longer write to the bucket changes nothing, and the name of the bucket may change', async () => {
  await using at = await withBucket();
  await at.hub.apply({
    users: ['ada', 'bob'].map(person),
    organizations: [
      {
        name: 'acme',
        fullname: 'Acme',
        members: [
          { user: 'bob', role: 'admin' },
          { user: 'ada', role: 'write' },
        ],
      },
    ],
  });
  await createBucket({ ...at.ada, repo: 'acme/shared' });
  const lost = await at.runTo(
    0,
    async (folder) => {
      await writeFile(join(folder, 'late'), 'x');
      await at.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'ada', role: 'read' }] }] });
    },
    { source: 'acme/shared' },
  );
  expect(lost).toMatchObject({
    stage: 'ERROR',
    message:
      'The files of the job could not be written to the bucket acme/shared: whoever created the job may no longer write to it with the access token that was used',
  });
  await at.runTo(0, async (folder) => {
    await writeFile(join(folder, 'x'), 'moved');
    await moveRepo({ ...at.ada, from: 'ada/data', to: 'ada/renamed', type: 'bucket' });
    // Another bucket takes over the name.
    await createBucket({ ...at.ada, repo: 'ada/data' });
  });
  expect([await at.paths(), await at.paths('ada/renamed'), await at.paths('acme/shared')]).toEqual([[], ['x'], []]);
});

test('a bucket that was deleted meanwhile gets nothing, and a canceled job says so in its events', async () => {
  await using at = await withBucket();
  const { id, folders } = await at.begin(BUCKET);
  await writeFile(join(folders[0] ?? '', 'x'), 'x');
  await deleteBucket({ ...at.ada, repo: 'ada/data' });
  await cancelJob({ ...at.ada, jobId: id });
  await expect.poll(at.leftAfterRound).toEqual([]);
  expect((await getJob({ ...at.ada, jobId: id })).status.stage).toBe('CANCELED');
  const { read } = at.hub.database;
  const events = await read.selectFrom('job_events').select('message').where('job_id', '=', id).execute();
  expect(events.map(({ message }) => message)).toContainEqual(expect.stringContaining('could not be written'));
});

test('an end that was interrupted is repeated, and a repeated one gives the bucket nothing again', async () => {
  await using at = await withBucket({ x: '1' });
  const { id, folders } = await at.begin(BUCKET);
  const [folder = ''] = folders;
  await writeFile(join(folder, 'y'), '2');
  // What a process did before it died: the file is there, and the note of what was written out as well.
  await putFile(at.hub, 'ada', 'ada/data', 'y', Buffer.from('2'));
  expect(await readFile(`${folder}.files`, 'utf8')).toContain('"x"');
  at.runner.exit(0);
  expect(await at.ended(id)).toMatchObject({ stage: 'COMPLETED' });
  expect(await at.paths()).toEqual(['x', 'y']);
});
