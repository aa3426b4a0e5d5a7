import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyHub } from '@moonbase/client/admin';
import { changeBucketFiles, createCommit } from '@moonbase/client/content';
import { lfsBatch } from '@moonbase/client/large-files';
import { createBucket, createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { backupFiles, filesFolderOf, restoreFiles } from '../src/backup.ts';
import { ADMIN, backedUp, createBackupFixture, restoreAt, startAt, TEAM, WAYS } from './backup-fixture.ts';
import { bytesOf } from './blobs/bytes.ts';
import { add, linesOf } from './buckets-fixture.ts';
import { type Connection, tokenOf } from './harness.ts';
import { uploadByXet, type XetToken } from './xet-client.ts';

const WEIGHTS = Buffer.from('weights'.repeat(1000));
const OID = createHash('sha256').update(WEIGHTS).digest('hex');
const MODEL = { type: 'model', repo: 'acme/bert' } as const;

async function commit(alice: Connection, files: Readonly<Record<string, string>>, more: readonly object[] = []) {
  const lines = [
    { key: 'header', value: { summary: 'change' } },
    ...Object.entries(files).map(([path, content]) => ({ key: 'file', value: { path, content } })),
    ...more,
  ];
  const operations = new Blob([lines.map((line) => JSON.stringify(line)).join('\n')], { type: 'application/x-ndjson' });
  return (await createCommit({ ...alice, ...MODEL, branch: 'main', operations })).commitOid;
}

async function upload(alice: Connection): Promise<object> {
  const object = { oid: OID, size: WEIGHTS.length };
  const { objects } = await lfsBatch({ ...alice, repo: MODEL.repo, operation: 'upload', objects: [object] });
  await fetch(objects[0]?.actions?.upload?.href ?? '', { method: 'PUT', body: new Uint8Array(WEIGHTS) });
  return { key: 'lfsFile', value: { path: 'w.bin', algo: 'sha256', ...object } };
}

const textAt = async (alice: Connection, revisionAndPath: string) => {
  const headers = { authorization: `Bearer ${alice.accessToken}` };
  const answer = await fetch(`${alice.hubUrl}/acme/bert/resolve/${revisionAndPath}`, { headers });
  return answer.status === 200 ? answer.text() : answer.status;
};

const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
};

test.each(WAYS)(
  'a hub on %s comes back on %s with every file, as acknowledged while it was backed up',
  async (from, to) => {
    await using old = await createBackupFixture(from);
    await using fresh = await createBackupFixture(to);
    const acknowledged = await (async () => {
      await using hub = await startAt(old);
      await applyHub({ ...hub.as(ADMIN), document: TEAM });
      const alice = hub.as(tokenOf('alice'));
      await createRepo({ ...alice, repo: MODEL.repo });
      await createRepo({ ...alice, repo: 'acme/untouched' });
      const lfs = await upload(alice);
      const before = await commit(alice, { 'a/b': 'first' }, [lfs]);
      const many = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`many/${at}`, `${at}`]));
      const packed = await commit(alice, many);
      // Commits continue while the backup is written and while files are copied.
      let stopped = false;
      const writing = (async () => {
        for (let at = 0; !stopped && at < 500; at++) await commit(alice, { later: `${at}` });
      })();
      const taken = await backedUp(old);
      const copied = await backupFiles(old.config, taken.file);
      stopped = true;
      await writing;
      expect(copied).toEqual({ gitFolders: 1, blobs: 1, faulty: [] });
      const files = await filesIn(filesFolderOf(taken.file));
      // The second copy copies only missing files.
      await backupFiles(old.config, taken.file);
      expect((await filesIn(filesFolderOf(taken.file))).length).toBeGreaterThanOrEqual(files.length);
      return { ...taken, before, packed };
    })();

    expect(await restoreFiles(fresh.config, acknowledged.file)).toEqual({ gitFolders: 1, blobs: 1, faulty: [] });
    await restoreAt(fresh, acknowledged.file);
    await using hub = await startAt(fresh);
    const alice = hub.as(tokenOf('alice'));
    expect(await textAt(alice, `${acknowledged.before}/a/b`)).toBe('first');
    expect(await textAt(alice, `${acknowledged.packed}/many/79`)).toBe('79');
    expect(await textAt(alice, 'main/a/b')).toBe('first');
    expect(await textAt(alice, 'main/w.bin')).toBe(WEIGHTS.toString());
    await commit(alice, { 'a/b': 'after' });
    expect(await textAt(alice, 'main/a/b')).toBe('after');
  },
);

async function bucketToken({ hubUrl, accessToken }: Connection, direction: 'read' | 'write'): Promise<XetToken> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await fetch(`${hubUrl}/api/buckets/alice/data/xet-${direction}-token`, { headers });
  return (await answer.json()) as XetToken;
}

test.each(WAYS)('files of buckets of a hub on %s are there at once on %s, through Xet as well', async (from, to) => {
  await using old = await createBackupFixture(from);
  await using fresh = await createBackupFixture(to);
  const bytes = bytesOf(300_000);
  const bucket = { repo: 'alice/data' };
  const { file, hash } = await (async () => {
    await using hub = await startAt(old);
    await applyHub({ ...hub.as(ADMIN), document: TEAM });
    const alice = hub.as(tokenOf('alice'));
    await createBucket({ ...alice, ...bucket });
    const sent = await uploadByXet(await bucketToken(alice, 'write'), bytes, { areNamed: false });
    await changeBucketFiles({ ...alice, ...bucket, operations: linesOf([add('a.bin', sent)]) });
    const taken = await backedUp(old);
    await backupFiles(old.config, taken.file);
    return { ...taken, hash: sent.hash };
  })();
  await restoreFiles(fresh.config, file);
  await restoreAt(fresh, file);
  await using hub = await startAt(fresh);
  const alice = hub.as(tokenOf('alice'));
  const plain = await fetch(`${alice.hubUrl}/buckets/alice/data/resolve/a.bin`, {
    headers: { authorization: `Bearer ${alice.accessToken}` },
  });
  expect(Buffer.from(await plain.arrayBuffer()).equals(bytes)).toBe(true);
  expect(plain.headers.get('x-xet-hash')).toBe(hash);
  // Nothing ran in the background.
  const { casUrl, accessToken } = await bucketToken(alice, 'read');
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await fetch(`${casUrl}/v2/reconstructions/${hash}`, { headers });
  expect(answer.status).toBe(200);
  const { terms, xorbs } = (await answer.json()) as {
    terms: { unpacked_length: number }[];
    xorbs: Record<string, { url: string }[]>;
  };
  expect(terms.reduce((sum, { unpacked_length }) => sum + unpacked_length, 0)).toBe(bytes.length);
  for (const [xorb] of Object.values(xorbs)) expect((await fetch(xorb?.url ?? '')).status).toBe(206);
});

test('a damaged file of a backup is named and not restored', async () => {
  await using old = await createBackupFixture('sqlite');
  await using fresh = await createBackupFixture('sqlite');
  const { file } = await (async () => {
    await using hub = await startAt(old);
    await applyHub({ ...hub.as(ADMIN), document: TEAM });
    const alice = hub.as(tokenOf('alice'));
    await createRepo({ ...alice, repo: MODEL.repo });
    await commit(alice, { x: '1' }, [await upload(alice)]);
    const taken = await backedUp(old);
    await backupFiles(old.config, taken.file);
    return taken;
  })();
  const files = await filesIn(filesFolderOf(file));
  const [blob = ''] = files.filter((path) => path.endsWith(OID));
  await writeFile(blob, Buffer.alloc(WEIGHTS.length));
  const [loose = ''] = files.filter((path) => /objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/.test(path));
  await writeFile(loose, 'nonsense');
  const { faulty } = await restoreFiles(fresh.config, file);
  expect([...faulty].sort()).toEqual([loose, OID].sort());
  expect((await filesIn(fresh.config.dataDir)).some((path) => path.endsWith(OID))).toBe(false);
});
