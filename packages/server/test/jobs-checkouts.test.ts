import { chmod, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cancelJob } from '@moonbase/client/jobs';
import { createBranch, createTag, deleteBranch } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { checkouts } from './checkouts-fixture.ts';
import { MINUTE } from './clock.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { hasGit } from './git-folder.ts';
import { refusal } from './webhooks-listen.ts';

const MODEL = { type: 'model' as const, source: 'ada/m', mountPath: '/model' };

const large = (path: string, oid: string, size: number) => ({
  key: 'lfsFile',
  value: { path, algo: 'sha256', oid, size },
});

test('a job finds the files of a repository at its revision, large ones too, and they go with its end', async () => {
  await using at = await checkouts();
  const bytes = Buffer.alloc(300_000, 'weights');
  const oid = await at.upload(bytes);
  await at.commit({ files: { 'config.json': '1', 'a/b/c': 'deep' }, lines: [large('model.bin', oid, bytes.length)] });
  await createTag({ ...at.ada, type: 'model', repo: 'ada/m', tag: 'v1', revision: 'main' });
  await at.commit({ files: { 'config.json': '2' }, deleted: ['model.bin'] });
  const { id, folders } = await at.begin(
    { ...MODEL, revision: 'v1' },
    { ...MODEL, mountPath: '/now' },
    { ...MODEL, mountPath: '/part', path: 'a/b' },
  );
  const [old = '', now = '', part = ''] = folders;
  expect((await readdir(old, { recursive: true })).toSorted()).toEqual([
    ...['.gitattributes', 'a', 'a/b', 'a/b/c', 'config.json', 'model.bin'],
  ]);
  expect(await readFile(join(old, 'model.bin'))).toEqual(bytes);
  expect([await readFile(join(old, 'config.json'), 'utf8'), await readFile(join(now, 'config.json'), 'utf8')]).toEqual([
    ...['1', '2'],
  ]);
  expect(await readdir(part)).toEqual(['c']);
  // A container has another user than the hub.
  for (const [path, mode] of [
    ['', 0o755],
    ['a', 0o755],
    ['a/b/c', 0o644],
    ['model.bin', 0o644],
  ] as const)
    expect([path, (await lstat(join(old, path))).mode & 0o777]).toEqual([path, mode]);
  expect((await lstat(join(at.volumes, 'checkouts'))).mode & 0o777).toBe(0o700);
  at.runner.exit(0);
  expect(await at.ended(id)).toMatchObject({ stage: 'COMPLETED' });
  expect(await at.left()).toEqual([]);
});

test('a repository that has nothing but its first commit is mounted as well', async () => {
  await using at = await checkouts();
  const { folders } = await at.begin(MODEL);
  expect(await readdir(folders[0] ?? '')).toEqual(['.gitattributes']);
});

test.runIf(hasGit)('executables and links are as they were pushed, and nothing is written through a link', async () => {
  await using at = await checkouts();
  await using client = await gitClient();
  const outside = join(at.volumes, 'outside');
  await mkdir(outside);
  await client.run('.', 'clone', '--quiet', remoteOf(at.ada, 'ada/m'), 'clone');
  const clone = join(client.folder, 'clone');
  await writeFile(join(clone, 'run.sh'), 'true\n');
  await chmod(join(clone, 'run.sh'), 0o755);
  await symlink(outside, join(clone, 'link'));
  await client.run('clone', 'add', '--all');
  await client.run('clone', 'commit', '--quiet', '--message', 'A link');
  await client.run('clone', 'push', '--quiet', 'origin', 'main');
  const { folders } = await at.begin(MODEL);
  const [folder = ''] = folders;
  expect((await lstat(join(folder, 'run.sh'))).mode & 0o777).toBe(0o755);
  expect(await readlink(join(folder, 'link'))).toBe(outside);
  expect(await readdir(outside)).toEqual([]);
  at.runner.exit(0);
  await expect.poll(at.leftAfterRound).toEqual([]);
  expect((await lstat(outside)).isDirectory()).toBe(true);
});

test('a revision that does not exist is refused, and one that goes while a job waits ends the job', async () => {
  await using at = await checkouts();
  expect(await refusal(at.run({ ...MODEL, revision: 'v9' }))).toMatchObject({
    ...{ status: 400, issues: [{ path: 'body.volumes.0.revision' }] },
  });
  const branch = { ...at.ada, type: 'model', repo: 'ada/m', branch: 'dev' } as const;
  await createBranch(branch);
  const { id } = await at.run({ ...MODEL, revision: 'dev' });
  await deleteBranch(branch);
  expect(await at.ended(id)).toMatchObject({
    ...{ stage: 'ERROR', message: 'The model ada/m has no revision dev' },
  });
  expect([at.runner.launched, await at.left()]).toEqual([[], []]);
});

test.each([
  ['content that never came', { path: undefined, size: 5 }, /content of big\.bin was never uploaded/],
  ['more than the hub allows', { path: undefined, size: 2 * 1024 ** 4 }, /larger than this hub allows/],
  ['a folder that is not there', { path: 'nowhere', size: 5 }, /there is no folder nowhere/],
  ['a file in the place of a folder', { path: 'big.bin', size: 5 }, /there is no folder big\.bin/],
])('a job that mounts %s ends with a sentence', async (_, { path, size }, message) => {
  await using at = await checkouts();
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize ${size}\n`;
  await at.commit({ files: { 'big.bin': pointer } });
  const { id } = await at.run({ ...MODEL, ...(path !== undefined && { path }) });
  expect(await at.ended(id)).toMatchObject({ stage: 'ERROR', message: expect.stringMatching(message) });
  expect([at.runner.launched, await at.left()]).toEqual([[], []]);
});

test('a process continues what a dead one began: half a folder is made anew, a complete one stays as it is', async () => {
  await using at = await checkouts();
  await at.commit({ files: { x: '1' } });
  const [half, complete] = [await at.run(MODEL), await at.run(MODEL)];
  for (const [name, file] of [
    [`${half.id}-1.unfinished`, 'garbage'],
    [`${complete.id}-1`, 'kept'],
  ] as const) {
    const folder = join(at.volumes, 'checkouts', name, '0');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, file), '');
  }
  await at.begun(1);
  const filesOf = async (id: string) => {
    const launch = at.runner.launched.find(({ key }) => key.startsWith(id));
    return readdir(launch?.folders?.[0] ?? '');
  };
  expect(await filesOf(half.id)).toEqual(['.gitattributes', 'x']);
  expect(await filesOf(complete.id)).toEqual(['kept']);
});

test('what a dead process or a canceled job leaves is deleted, and a complete folder is kept for its attempt', async () => {
  await using at = await checkouts();
  await at.commit({ files: { x: '1' } });
  const { id } = await at.begin(MODEL);
  for (const name of ['0123456789abcdef01234567-1', 'fedcba9876543210fedcba98-2.unfinished'])
    await mkdir(join(at.volumes, 'checkouts', name, '0'), { recursive: true });
  at.hub.clock.advance(MINUTE);
  await expect.poll(at.leftAfterRound).toEqual([expect.stringContaining(id)]);
  await cancelJob({ ...at.ada, jobId: id });
  await expect.poll(at.leftAfterRound).toEqual([]);
});
