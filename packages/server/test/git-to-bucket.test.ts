import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyHub } from '@moonbase/client/admin';
import { listTree } from '@moonbase/client/content';
import { createRepo, createTag } from '@moonbase/client/repositories';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { backupFiles, restoreFiles } from '../src/backup.ts';
import { readConfig } from '../src/config.ts';
import { gitToBucket } from '../src/git-to-bucket.ts';
import { createHub } from '../src/hub.ts';
import { newPackName } from '../src/platform/git/durable-files.ts';
import { createGitStore } from '../src/platform/git/git-store.ts';
import {
  ADMIN,
  type BackupFixture,
  backedUp,
  createBackupFixture,
  KINDS,
  restoreAt,
  startAt,
  TEAM,
} from './backup-fixture.ts';
import { type S3Server, startS3Server } from './blobs/s3-server.ts';
import { bucketSettings, commitTo, packsIn } from './git-bucket-fixture.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { stockGit } from './git-folder.ts';
import { type Connection, collect, tokenOf } from './harness.ts';

const REPO = 'acme/bert';

/** Returns the same hub with other settings. */
function withSettings(fixture: BackupFixture, settings: Readonly<Record<string, string>>): BackupFixture {
  const environment = { ...fixture.environment, ...settings };
  return { ...fixture, environment, config: readConfig(environment) };
}

const inBucket = (fixture: BackupFixture, server: S3Server): BackupFixture =>
  withSettings(fixture, { ...bucketSettings(server), MOONBASE_GIT_STORE: 'bucket' });

/** Starts a hub that should refuse to start; returns why. */
async function refusalOf({ config }: BackupFixture): Promise<string> {
  const hub = await createHub(config, { background: false, logger: pino({ level: 'silent' }) });
  try {
    await hub.start();
    return 'it starts';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await hub.stop();
  }
}

/** Fills a hub with commits of each size, an annotated tag and a push; returns its files. */
async function fill(as: (token: string) => Connection): Promise<void> {
  await applyHub({ ...as(ADMIN), document: TEAM });
  const alice = as(tokenOf('alice'));
  await createRepo({ ...alice, repo: REPO });
  await createRepo({ ...alice, repo: 'acme/untouched' });
  await createRepo({ ...alice, repo: 'acme/tagged' });
  await createTag({ ...alice, type: 'model', repo: 'acme/tagged', revision: 'main', tag: 'v1', message: 'First' });
  await commitTo(alice, REPO, { 'a.txt': 'a' });
  await commitTo(alice, REPO, Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`many/${at}`, `${at}`])));
  await using client = await gitClient();
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO), 'clone');
  await writeFile(join(client.folder, 'clone', 'pushed.txt'), 'pushed');
  await client.run('clone', 'add', '--all');
  await client.run('clone', 'commit', '--quiet', '--message', 'Push');
  await client.run('clone', 'push', '--quiet', 'origin', 'HEAD:main');
  await commitTo(alice, REPO, { 'b.txt': 'b' });
}

/** Expects all that `fill` has written, through the API and by a clone. */
async function expectFilled(as: (token: string) => Connection): Promise<void> {
  const alice = as(tokenOf('alice'));
  const files = await collect(listTree({ ...alice, type: 'model', repo: REPO, revision: 'main', recursive: true }));
  expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['a.txt', 'b.txt', 'pushed.txt', 'many/79']));
  await using client = await gitClient();
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO), 'clone');
  expect(await client.run('clone', 'fsck', '--full', '--strict')).toBe('');
  await client.run('.', 'clone', '--quiet', remoteOf(alice, 'acme/tagged'), 'tagged');
  expect(await client.run('tagged', 'tag', '--list', '--format=%(contents:subject)')).toBe('First');
}

/** Repacks each git folder as the upkeep does, with an index of several packs, bitmaps and objects set apart. */
async function maintainWithGit({ config }: BackupFixture): Promise<void> {
  const store = createGitStore(join(config.dataDir, 'git'), { durable: false });
  const ids: string[] = [];
  for await (const { id } of store.uses()) ids.push(id);
  for (const id of ids) {
    const packs = store.packFolderOf(id);
    stockGit(store, id, 'repack', '-d', '--quiet', '--cruft', '--write-midx', '--write-bitmap-index');
    stockGit(store, id, 'commit-graph', 'write', '--reachable');
    expect(await readdir(packs)).toContain('multi-pack-index');
    // The hub names its packs at random.
    const [file = ''] = (await readdir(packs)).filter((name) => name.endsWith('.pack'));
    const [base, newName] = [file.replace(/\.pack$/, ''), newPackName()];
    for (const name of (await readdir(packs)).filter((each) => each.startsWith(`${base}.`)))
      await rename(join(packs, name), join(packs, name.replace(base, newName)));
  }
}

const emptyDisk = ({ config }: BackupFixture) => rm(join(config.dataDir, 'git'), { recursive: true });

describe.each(KINDS)('a hub on %s', (kind) => {
  test('moves to a bucket, in several steps if need be, and starts nowhere else before and after', async () => {
    await using server = await startS3Server();
    await using fixture = await createBackupFixture(kind);
    const moved = inBucket(fixture, server);
    {
      await using hub = await startAt(fixture);
      await fill(hub.as);
    }
    await maintainWithGit(fixture);
    await expect(gitToBucket(fixture.config)).rejects.toThrow('MOONBASE_GIT_STORE=bucket');
    expect(await refusalOf(moved)).toMatch(/in its data folder: run "moonbase git-to-bucket"/);

    let puts = 0;
    server.control.fault = (method, key) => (method === 'PUT' && key !== 'git/owner' && ++puts > 2 ? 500 : undefined);
    await expect(gitToBucket(moved.config)).rejects.toThrow('not responding');
    expect(await refusalOf(moved)).toMatch(/in its data folder/);
    server.control.fault = undefined;
    const before = server.requests.length;
    expect(await gitToBucket(moved.config)).toMatchObject({ repositories: 2, faulty: [] });
    expect(server.requests.slice(before).filter((request) => request.startsWith('PUT')).length).toBeGreaterThan(0);
    await expect(gitToBucket(moved.config)).rejects.toThrow('in its bucket already');

    expect(await refusalOf(fixture)).toMatch(/in a bucket: set MOONBASE_GIT_STORE=bucket/);
    {
      await using hub = await startAt(moved);
      await expectFilled(hub.as);
    }
    await emptyDisk(fixture);
    await using hub = await startAt(moved);
    await expectFilled(hub.as);
    await commitTo(hub.as(tokenOf('alice')), REPO, { 'c.txt': 'c' });
  });

  test('does not move while something in its folder is missing or damaged, and says what', async () => {
    await using server = await startS3Server();
    await using fixture = await createBackupFixture(kind);
    const moved = inBucket(fixture, server);
    {
      await using hub = await startAt(fixture);
      await fill(hub.as);
    }
    const paths = await readdir(join(fixture.config.dataDir, 'git'), { recursive: true });
    const [damaged = ''] = paths.filter((path) => path.endsWith('.pack'));
    const pack = join(fixture.config.dataDir, 'git', damaged);
    // Git writes packs that nobody may change.
    await rm(pack);
    await writeFile(pack, 'nonsense');
    const { faulty } = await gitToBucket(moved.config);
    expect(faulty).toEqual([expect.stringContaining(damaged.replace('.pack', '').replace(/.*\//, ''))]);
    expect(await refusalOf(moved)).toMatch(/in its data folder/);
    await emptyDisk(fixture);
    const { faulty: missing } = await gitToBucket(moved.config);
    expect(missing).toHaveLength(2);
    expect(await refusalOf(moved)).toMatch(/in its data folder/);
  });

  test('is backed up from its bucket, and restored into a folder or into another bucket', async () => {
    await using server = await startS3Server();
    await using old = await createBackupFixture(kind);
    const source = inBucket(old, server);
    const file = await (async () => {
      await using hub = await startAt(source);
      await fill(hub.as);
      await emptyDisk(source);
      const taken = await backedUp(source);
      expect(await backupFiles(source.config, taken.file)).toMatchObject({ gitFolders: 2, faulty: [] });
      const requests = server.requests.length;
      await backupFiles(source.config, taken.file);
      expect(server.requests.slice(requests)).toEqual([]);
      return taken.file;
    })();

    await using folder = await createBackupFixture(kind);
    await restoreFiles(folder.config, file);
    await restoreAt(folder, file);
    {
      await using hub = await startAt(folder);
      await expectFilled(hub.as);
    }

    await using other = await startS3Server();
    await using fresh = await createBackupFixture(kind);
    const target = inBucket(fresh, other);
    await restoreFiles(target.config, file);
    await restoreAt(target, file);
    expect(await refusalOf(target)).toMatch(/in its data folder/);
    await gitToBucket(target.config);
    await emptyDisk(target);
    await using hub = await startAt(target);
    await expectFilled(hub.as);
  });

  test('does not take the bucket of another hub, unless that is gone', async () => {
    await using server = await startS3Server();
    await using first = await createBackupFixture(kind);
    {
      await using hub = await startAt(inBucket(first, server));
      await fill(hub.as);
    }
    const packs = packsIn(server);
    await using second = await createBackupFixture(kind);
    expect(await refusalOf(inBucket(second, server))).toMatch(/git objects of another hub/);
    await expect(gitToBucket(inBucket(second, server).config)).rejects.toThrow('git objects of another hub');
    expect(packsIn(server)).toEqual(packs);
    await gitToBucket(inBucket(second, server).config, { takeOver: true });
    expect(await refusalOf(inBucket(first, server))).toMatch(/git objects of another hub/);
    await using empty = await startS3Server();
    expect(await refusalOf(inBucket(first, empty))).toMatch(/not the bucket that has the git objects/);
    await using _hub = await startAt(inBucket(second, server));
  });
});
