import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { applyHub } from '@moonbase/client/admin';
import { createCommit } from '@moonbase/client/content';
import { lfsBatch } from '@moonbase/client/large-files';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { backupFiles, filesFolderOf } from '../src/backup.ts';
import { createTableDigest } from '../src/platform/backup/format.ts';
import { createSealing } from '../src/platform/backup/seal.ts';
import { type VerifyOptions, verifyBackup, verifyNewest } from '../src/verify-backup.ts';
import {
  ADMIN,
  type BackupFixture,
  backedUp,
  createBackupFixture,
  isEmpty,
  KINDS,
  startAt,
  TEAM,
} from './backup-fixture.ts';
import { startS3Server } from './blobs/s3-server.ts';
import { tokenOf } from './harness.ts';
import { engine } from './test-database.ts';

const WEIGHTS = Buffer.from('weights'.repeat(1000));
const OID = createHash('sha256').update(WEIGHTS).digest('hex');
/** A file of the commit: an object of the first commit would be made again from its row. */
const ID_OF_FILE = createHash('sha1').update('blob 5\0first').digest('hex');
const MODEL = { type: 'model', repo: 'acme/bert' } as const;

let old: BackupFixture;
let good: Buffer;
let temporary: string;

beforeAll(async () => {
  temporary = mkdtempSync(join(tmpdir(), 'moonbase-rehearsals-'));
  vi.stubEnv('TMPDIR', temporary);
  old = await createBackupFixture('sqlite');
  await using hub = await startAt(old);
  await applyHub({ ...hub.as(ADMIN), document: TEAM });
  const alice = hub.as(tokenOf('alice'));
  await createRepo({ ...alice, repo: MODEL.repo });
  await createRepo({ ...alice, repo: 'acme/untouched' });
  const object = { oid: OID, size: WEIGHTS.length };
  const { objects } = await lfsBatch({ ...alice, repo: MODEL.repo, operation: 'upload', objects: [object] });
  await fetch(objects[0]?.actions?.upload?.href ?? '', { method: 'PUT', body: new Uint8Array(WEIGHTS) });
  const lines = [
    { key: 'header', value: { summary: 'change' } },
    { key: 'file', value: { path: 'a/b', content: 'first' } },
    { key: 'lfsFile', value: { path: 'w.bin', algo: 'sha256', ...object } },
  ];
  const operations = new Blob([lines.map((line) => JSON.stringify(line)).join('\n')], { type: 'application/x-ndjson' });
  await createCommit({ ...alice, ...MODEL, branch: 'main', operations });
  const watched = [{ type: 'org' as const, name: 'acme' }];
  const webhook = { url: 'http://127.0.0.1:9/hook', secret: 'of the hook', watched, domains: ['repo' as const] };
  await createWebhook({ ...alice, webhook });
  const { file } = await backedUp(old, 'good.backup');
  await backupFiles(old.config, file);
  good = readFileSync(file);
});
afterAll(async () => {
  await old[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

/** Returns what rehearsals have left. */
const left = () => readdirSync(temporary).filter((name) => name.startsWith('moonbase-verify-'));
afterEach(() => {
  expect(left()).toEqual([]);
});

const goodFile = () => join(old.folder, 'good.backup');

/** Writes other bytes beside the good backup, so that the files of repositories are there. */
function writtenBeside(name: string, bytes: Uint8Array): string {
  const file = join(old.folder, name);
  writeFileSync(file, bytes);
  return file;
}

const faultsOf = async (file: string, options?: VerifyOptions, config: BackupFixture['config'] = old.config) => {
  const { checks } = await verifyBackup(config, file, options);
  return Object.fromEntries(checks.filter(({ faults }) => faults.length > 0).map(({ name, faults }) => [name, faults]));
};

/** Changes the lines of a table, and states their new hash, as a program would, in contrast to an accident. */
async function rewritten(table: string, change: (rows: string[]) => string[]): Promise<Buffer> {
  const lines = gunzipSync(good).toString().split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`));
  const end = lines.findIndex((line) => line.startsWith(`{"end":"${table}"`));
  const before = lines.slice(begin + 1, end);
  const rows = change(before);
  const digest = createTableDigest();
  for (const row of rows) digest.add(row);
  lines.splice(begin + 1, end - begin, ...rows, JSON.stringify({ end: table, ...digest.result() }));
  const last = lines.findIndex((line) => line.startsWith('{"end":"backup"'));
  const whole = JSON.parse(lines[last] ?? '');
  lines[last] = JSON.stringify({ ...whole, rows: whole.rows + rows.length - before.length });
  return await buffer(Readable.from([gzipSync(lines.join('\n'))]).pipe(createSealing()));
}

/** Runs work while a file beside the backup is damaged. */
async function whileDamaged(path: string, bytes: Uint8Array | undefined, work: () => Promise<void>): Promise<void> {
  const before = readFileSync(path);
  if (bytes) writeFileSync(path, bytes);
  else rmSync(path);
  try {
    await work();
  } finally {
    writeFileSync(path, before);
  }
}

const besideEnding = (ending: RegExp): string => {
  const folder = filesFolderOf(goodFile());
  const found = readdirSync(folder, { recursive: true })
    .map(String)
    .find((name) => ending.test(name));
  return join(folder, found ?? 'nothing');
};

describe.each(KINDS)('on %s,', (kind) => {
  const place = async () => {
    if (kind === 'sqlite') return { fixture: undefined, [Symbol.asyncDispose]: async () => {} };
    const fixture = await createBackupFixture(kind);
    const { databaseUrl } = fixture.config;
    return { fixture, databaseUrl, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
  };

  test('a good backup passes every check, with figures, and leaves nothing', async () => {
    await using target = await place();
    const named: string[] = [];
    const { checks, createdAt } = await verifyBackup(old.config, goodFile(), {
      ...('databaseUrl' in target && { databaseUrl: target.databaseUrl }),
      onCheck: ({ name }) => named.push(name),
    });
    expect(createdAt).toMatch(/^20/);
    expect(Object.fromEntries(checks.map(({ name, figures, faults }) => [name, { ...figures, faults }]))).toEqual({
      file: { bytes: good.length, faults: [] },
      key: { sealed: 1, faults: [] },
      'large files': { largeFiles: 1, bytes: WEIGHTS.length, faulty: 0, faults: [] },
      rows: { rows: expect.any(Number), tables: expect.any(Number), faults: [] },
      references: { foreignKeys: expect.any(Number), broken: 0, faults: [] },
      secrets: { opened: expect.any(Number), closed: 0, faults: [] },
      'audit log': { chains: expect.any(Number), events: expect.any(Number), faults: [] },
      repositories: { repositories: 2, fsck: 2, faulty: 0, faults: [] },
    });
    expect(named).toEqual(checks.map(({ name }) => name));
    const figure = (name: string, of: string) => checks.find((check) => check.name === name)?.figures[of];
    expect(figure('rows', 'rows')).toBeGreaterThan(10);
    expect(figure('references', 'foreignKeys')).toBeGreaterThan(20);
    expect(figure('secrets', 'opened')).toBe(1);
    expect(figure('audit log', 'events')).toBeGreaterThan(2);
    if (target.fixture) expect(await isEmpty(target.fixture)).toBe(true);
  });

  test('what only the filled database shows is told', async () => {
    await using target = await place();
    const options = { databaseOnly: true, ...('databaseUrl' in target && { databaseUrl: target.databaseUrl }) };
    const audit = await rewritten('audit_events', (rows) =>
      rows.map((row) => row.replace('repo.create', 'repo.delete')),
    );
    expect((await faultsOf(writtenBeside('audit.backup', audit), options))['audit log']).toEqual([
      expect.stringMatching(/^The audit log of \w+ does not hold: event \d+ was changed\. The hub has the same fault/),
    ]);
    const cut = await rewritten('audit_events', (rows) => rows.slice(0, -1));
    expect((await faultsOf(writtenBeside('chain.backup', cut), options))['audit log']).toEqual([
      expect.stringMatching(/does not hold: (event \d+ does not follow event \d+|it should end with event)/),
    ]);
    const sealed = await rewritten('webhooks', (rows) => rows.map((row) => row.replace('"bound:', '"bound:AAAA')));
    expect((await faultsOf(writtenBeside('sealed.backup', sealed), options)).secrets).toEqual([
      expect.stringMatching(/^1 secrets cannot be opened with the key, such as \w+ of webhooks \w+\. Set them anew/),
    ]);
    const orphans = await rewritten('accounts', () => []);
    expect(await faultsOf(writtenBeside('orphans.backup', orphans), options)).toEqual({
      rows: [expect.stringMatching(/cannot be restored: rows of it contradict each other/)],
    });
    if (target.fixture) expect(await isEmpty(target.fixture)).toBe(true);
  });

  test('an interruption leaves nothing', async () => {
    await using target = await place();
    const seen: string[] = [];
    for (const at of ['pieces of the file', 'large files', 'repositories', 'settings', 'the audit log']) {
      const ending = new AbortController();
      const rehearsal = verifyBackup(old.config, goodFile(), {
        ...('databaseUrl' in target && { databaseUrl: target.databaseUrl }),
        signal: ending.signal,
        progress: ({ table }) => {
          seen.push(table);
          if (table === at) ending.abort(new Error('interrupted'));
        },
      });
      await expect(rehearsal, at).rejects.toThrow('interrupted');
      expect(left()).toEqual([]);
    }
    expect(seen).toContain('the audit log');
    if (target.fixture) expect(await isEmpty(target.fixture)).toBe(true);
  });
});

test('a file that is cut, has a flipped byte, or is missing', async () => {
  const cut = writtenBeside('cut.backup', good);
  truncateSync(cut, good.length - 100);
  expect(await faultsOf(cut)).toEqual({ file: [expect.stringMatching(/its end is missing/)] });
  const bytes = Buffer.from(good);
  bytes[Math.floor(good.length / 2)]! ^= 1;
  expect(await faultsOf(writtenBeside('flipped.backup', bytes))).toEqual({
    file: [expect.stringMatching(/is damaged: it is not what was written\. Take another backup\.$/)],
  });
  await expect(verifyBackup(old.config, join(old.folder, 'nowhere'))).rejects.toThrow('ENOENT');
});

test('another key, and none', async () => {
  const other = { ...old.config, secretKey: 'another key, long enough to be taken as well' };
  expect(await faultsOf(goodFile(), {}, other)).toEqual({
    key: [expect.stringMatching(/MOONBASE_SECRET_KEY is another key\.$/)],
  });
  expect(await faultsOf(goodFile(), {}, { ...old.config, secretKey: undefined })).toEqual({
    key: [expect.stringMatching(/Set MOONBASE_SECRET_KEY to it, or put that file into /)],
  });
});

test('large files that are missing or changed, and nothing is written beside the backup', async () => {
  const names = () => readdirSync(old.folder, { recursive: true }).map(String);
  const before = new Set(names());
  for (const bytes of [undefined, Buffer.alloc(WEIGHTS.length), WEIGHTS.subarray(1)])
    await whileDamaged(besideEnding(new RegExp(`${OID}$`)), bytes, async () => {
      expect(await faultsOf(goodFile())).toEqual({
        'large files': [
          expect.stringMatching(
            new RegExp(`^1 large files, such as ${OID}, are missing in .*moonbase-files, or differ`),
          ),
        ],
      });
      expect(await faultsOf(goodFile(), { databaseOnly: true })).toEqual({});
    });
  // The log of the hub's database goes when its last connection is closed.
  expect(names().filter((name) => !before.has(name))).toEqual([]);
});

test('objects of git that are missing or changed', async () => {
  for (const bytes of [undefined, Buffer.from('nonsense')])
    await whileDamaged(besideEnding(new RegExp(`${ID_OF_FILE.slice(2)}$`)), bytes, async () => {
      expect(await faultsOf(goodFile())).toEqual({
        repositories: [expect.stringMatching(/^1 repositories, such as \w{24}: .*(missing|broken|invalid)/)],
      });
    });
});

test.runIf(engine === 'postgres')('a PostgreSQL database that is not empty is refused and stays', async () => {
  await using full = await createBackupFixture('postgres');
  await (await startAt(full))[Symbol.asyncDispose]();
  await expect(verifyBackup(old.config, goodFile(), { databaseUrl: full.config.databaseUrl })).rejects.toThrow(
    /^The database for the rehearsal is not empty \(it has the table \w+\), and nothing was changed\. Name an empty one/,
  );
  expect(await isEmpty(full)).toBe(false);
});

test('the newest backup of a folder is one that the hub made and finished', async () => {
  const folder = join(old.folder, 'made');
  await expect(verifyNewest(old.config, { folder })).rejects.toThrow('has no backup that a hub has made of itself');
  mkdirSync(folder);
  for (const [name, bytes] of [
    ['moonbase-2026-11-25T031500Z.backup', 'an older one'],
    ['moonbase-2026-11-26T031500Z.backup', good],
    ['moonbase-2026-11-27T031500Z.backup.partial', 'an unfinished one'],
    ['zebra.backup', 'something else'],
  ] as const)
    writeFileSync(join(folder, name), bytes);
  const { file, checks } = await verifyNewest(old.config, { folder }, { databaseOnly: true });
  expect(file).toBe(join(folder, 'moonbase-2026-11-26T031500Z.backup'));
  expect(checks.flatMap(({ faults }) => faults)).toEqual([]);
});

test('the newest backup of a bucket is downloaded for the time of the rehearsal', async () => {
  const s3 = await startS3Server();
  try {
    const target = { s3: s3.bucket, prefix: 'hubs/one/' };
    await expect(verifyNewest(old.config, target)).rejects.toThrow(
      's3://bucket/hubs/one/ has no backup that a hub has made of itself, or the keys may not list what it has.',
    );
    s3.objects.set('hubs/one/moonbase-2026-11-25T031500Z.backup', Buffer.from('an older one'));
    s3.objects.set('hubs/one/moonbase-2026-11-26T031500Z.backup', good);
    s3.objects.set('hubs/two/moonbase-2026-11-27T031500Z.backup', Buffer.from('of another hub'));
    const { file, checks } = await verifyNewest(old.config, target);
    expect(file).toBe('s3://bucket/hubs/one/moonbase-2026-11-26T031500Z.backup');
    expect(checks.map(({ name }) => name)).toEqual(['file', 'key', 'rows', 'references', 'secrets', 'audit log']);
    expect(checks.flatMap(({ faults }) => faults)).toEqual([]);
    const ending = new AbortController();
    const progress = () => ending.abort(new Error('interrupted'));
    await expect(verifyNewest(old.config, target, { progress, signal: ending.signal })).rejects.toThrow('interrupted');
    expect(left()).toEqual([]);
  } finally {
    await s3[Symbol.asyncDispose]();
  }
  await expect(verifyNewest(old.config, { s3: s3.bucket, prefix: '' })).rejects.toThrow(
    'The bucket for backups failed:',
  );
});
