import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { applyHub } from '@moonbase/client/admin';
import { createCommit } from '@moonbase/client/content';
import { lfsBatch } from '@moonbase/client/large-files';
import { createRepo, deleteRepo } from '@moonbase/client/repositories';
import { afterEach, expect, test, vi } from 'vitest';
import { backupFiles, filesFolderOf, pruneBackupFiles, restoreFiles } from '../src/backup.ts';
import { createSealing } from '../src/platform/backup/seal.ts';
import { ADMIN, type BackupFixture, backedUp, createBackupFixture, startAt, TEAM } from './backup-fixture.ts';
import { DAY, MINUTE } from './clock.ts';
import { type Connection, tokenOf } from './harness.ts';
import { engine } from './test-database.ts';

afterEach(() => void vi.useRealTimers());

const start = Date.now();
/** Sets the time of what backups do; files that they copy have that of the machine. */
const atDay = (day: number) => vi.useFakeTimers({ toFake: ['Date'], now: start + day * DAY + MINUTE });

const bytesOf = (repo: string) => Buffer.from(repo.repeat(1000));
const oidOf = (repo: string) => createHash('sha256').update(bytesOf(repo)).digest('hex');

/** Creates a repository with a small and a large file. */
async function fill(alice: Connection, repo: string): Promise<void> {
  await createRepo({ ...alice, repo });
  const object = { oid: oidOf(repo), size: bytesOf(repo).length };
  const { objects } = await lfsBatch({ ...alice, repo, operation: 'upload', objects: [object] });
  await fetch(objects[0]?.actions?.upload?.href ?? '', { method: 'PUT', body: new Uint8Array(bytesOf(repo)) });
  const lines = [
    { key: 'header', value: { summary: 'first' } },
    { key: 'file', value: { path: 'name', content: repo } },
    { key: 'lfsFile', value: { path: 'weights', algo: 'sha256', ...object } },
  ];
  const operations = new Blob([lines.map((line) => JSON.stringify(line)).join('\n')], { type: 'application/x-ndjson' });
  await createCommit({ ...alice, type: 'model', repo, branch: 'main', operations });
}

/** Deletes a repository of the hub of a fixture, and what the hub deletes days later. */
async function deleteWhole(fixture: BackupFixture, repo: string): Promise<void> {
  await onHub(fixture, (alice) => deleteRepo({ ...alice, repo }));
  await using database = fixture.open();
  await database.transaction((tx) => tx.deleteFrom('repo_files').where('sha256', '=', oidOf(repo)).execute());
}

/** Backs up the hub of a fixture as versions before did, whose headers lack a field and which freshened nothing. */
async function backUpLikeBefore(fixture: BackupFixture, name: string) {
  const { file } = await backedUp(fixture, name, false);
  const [header = '', ...lines] = gunzipSync(await readFile(file))
    .toString()
    .split('\n');
  const { freshensFiles, ...before } = JSON.parse(header);
  expect(freshensFiles).toBe(false);
  const text = [JSON.stringify(before), ...lines].join('\n');
  await pipeline([gzipSync(text)], createSealing(), createWriteStream(file));
  return { file };
}

/** Backs up the hub of a fixture with the files of its repositories. */
async function backUp(fixture: BackupFixture, name: string) {
  const { file } = await backedUp(fixture, name);
  return { file, copied: await backupFiles(fixture.config, file) };
}

async function onHub(fixture: BackupFixture, work: (alice: Connection) => Promise<unknown>): Promise<void> {
  await using hub = await startAt(fixture);
  await applyHub({ ...hub.as(ADMIN), document: TEAM });
  await work(hub.as(tokenOf('alice')));
  await hub.drain();
}

const foldersIn = async (file: string): Promise<string[]> => {
  const names = await readdir(join(filesFolderOf(file), 'git'), { recursive: true });
  return names.filter((name) => name.endsWith('.git'));
};
const hasBlob = (file: string, repo: string): Promise<boolean> => {
  const oid = oidOf(repo);
  return access(join(filesFolderOf(file), 'blobs', oid.slice(0, 2), oid.slice(2, 4), oid)).then(
    () => true,
    () => false,
  );
};

test('what no backup needs goes 30 days after the last one that needed it, and no backup lacks anything', async () => {
  await using hub = await createBackupFixture(engine);
  await using fresh = await createBackupFixture('sqlite');
  await onHub(hub, async (alice) => {
    await fill(alice, 'acme/kept');
    await fill(alice, 'acme/gone');
  });
  atDay(0);
  const one = await backUp(hub, 'one.backup');
  vi.useRealTimers();
  await deleteWhole(hub, 'acme/gone');

  atDay(40);
  const two = await backUp(hub, 'two.backup');
  expect(await pruneBackupFiles(hub.folder)).toEqual({ files: 0, bytes: 0 });
  expect(await restoreFiles(fresh.config, one.file)).toEqual({ gitFolders: 2, blobs: 2, faulty: [] });

  await rm(one.file);
  const deleted = await pruneBackupFiles(hub.folder);
  expect(deleted.files).toBeGreaterThan(3);
  expect(deleted.bytes).toBeGreaterThan(bytesOf('acme/gone').length);
  expect([await hasBlob(two.file, 'acme/kept'), await hasBlob(two.file, 'acme/gone')]).toEqual([true, false]);
  expect(await foldersIn(two.file)).toHaveLength(1);
  await using again = await createBackupFixture('sqlite');
  expect(await restoreFiles(again.config, two.file)).toEqual({ gitFolders: 1, blobs: 1, faulty: [] });
  expect(await pruneBackupFiles(hub.folder)).toEqual({ files: 0, bytes: 0 });
});

test('files from before backups freshened them stay until backups have done so for 30 days', async () => {
  await using hub = await createBackupFixture('sqlite');
  await onHub(hub, (alice) => fill(alice, 'acme/kept'));
  atDay(-40);
  const { file } = await backUp(hub, 'one.backup');
  const old = (start - 100 * DAY) / 1000;
  const folder = filesFolderOf(file);
  for (const { parentPath, name } of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (name !== 'fresh-since') await utimes(join(parentPath, name), old, old);
  await rm(file);
  vi.useRealTimers();
  await onHub(hub, (alice) => deleteRepo({ ...alice, repo: 'acme/kept' }));
  atDay(20);
  const two = await backUp(hub, 'two.backup');
  expect(await pruneBackupFiles(hub.folder)).toEqual({ files: 0, bytes: 0 });
  await rm(two.file);
  atDay(40);
  await backUp(hub, 'three.backup');
  expect((await pruneBackupFiles(hub.folder)).files).toBeGreaterThan(1);
});

test('the files of a repository that the hub has lost stay, although no backup finds them', async () => {
  await using hub = await createBackupFixture(engine);
  await onHub(hub, (alice) => fill(alice, 'acme/kept'));
  const one = await backUp(hub, 'one.backup');
  await rename(join(hub.config.dataDir, 'git'), join(hub.config.dataDir, 'lost'));
  await rm(one.file);
  atDay(40);
  const two = await backUp(hub, 'two.backup');
  expect(await pruneBackupFiles(hub.folder)).toEqual({ files: 0, bytes: 0 });
  await using fresh = await createBackupFixture('sqlite');
  expect(await restoreFiles(fresh.config, two.file)).toEqual({ gitFolders: 1, blobs: 1, faulty: [] });
});

test('nothing is deleted while the folder has a backup of a version that noted nothing, or without files', async () => {
  await using hub = await createBackupFixture(engine);
  await onHub(hub, async (alice) => {
    await fill(alice, 'acme/kept');
    await fill(alice, 'acme/gone');
  });
  atDay(0);
  const one = await backUp(hub, 'one.backup');
  atDay(80);
  const before = await backUpLikeBefore(hub, 'before.backup');
  vi.useRealTimers();
  await deleteWhole(hub, 'acme/gone');
  atDay(90);
  const two = await backUp(hub, 'two.backup');
  await rm(one.file);

  const hindrance = /^before\.backup is a backup without files, or of a version/;
  expect(await pruneBackupFiles(hub.folder)).toEqual({
    ...{ files: 0, bytes: 0, hindrance: expect.stringMatching(hindrance) },
  });
  expect(await hasBlob(two.file, 'acme/gone')).toBe(true);
  await using fresh = await createBackupFixture('sqlite');
  expect(await restoreFiles(fresh.config, before.file)).toEqual({ gitFolders: 2, blobs: 2, faulty: [] });

  await rm(before.file);
  const { file } = await backedUp(hub, 'rows.backup', false);
  expect((await pruneBackupFiles(hub.folder)).hindrance).toMatch(/^rows\.backup /);
  await rm(file);
  expect((await pruneBackupFiles(hub.folder)).files).toBeGreaterThan(3);
  expect(await hasBlob(two.file, 'acme/gone')).toBe(false);
});

test('nothing is deleted while the folder has a file that may be a backup, whatever its time', async () => {
  await using hub = await createBackupFixture('sqlite');
  await onHub(hub, (alice) => fill(alice, 'acme/gone'));
  atDay(0);
  const one = await backUp(hub, 'one.backup');
  vi.useRealTimers();
  await deleteWhole(hub, 'acme/gone');
  atDay(90);
  const two = await backUp(hub, 'two.backup');

  // Who encrypts an old backup makes a young file of it.
  const encrypted = join(hub.folder, 'one.backup.gpg');
  await writeFile(encrypted, 'what nobody can read');
  await rm(one.file);
  expect((await pruneBackupFiles(hub.folder)).hindrance).toMatch(/^one\.backup\.gpg is no backup that can be read/);
  await rm(encrypted);

  const cut = join(hub.folder, 'a-cut.backup');
  await writeFile(cut, (await readFile(two.file)).subarray(0, 40));
  expect((await pruneBackupFiles(hub.folder)).hindrance).toMatch(/^a-cut\.backup is no backup/);
  await rm(cut);

  const link = join(hub.folder, 'away.backup');
  await symlink(join(hub.folder, 'unmounted', 'away.backup'), link);
  expect((await pruneBackupFiles(hub.folder)).hindrance).toBe('away.backup is a link to a file that is not there');
  expect(await hasBlob(two.file, 'acme/gone')).toBe(true);
  await rm(link);

  expect((await pruneBackupFiles(hub.folder)).files).toBeGreaterThan(1);
  expect(await hasBlob(two.file, 'acme/gone')).toBe(false);
});
