import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createRepo } from '@moonbase/client/repositories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSealing } from '../src/platform/backup/seal.ts';
import {
  ADMIN,
  type BackupFixture,
  backedUp,
  createBackupFixture,
  isEmpty,
  KINDS,
  restoreAt,
  startAt,
} from './backup-fixture.ts';

let old: BackupFixture;
let good: Buffer;
beforeAll(async () => {
  old = await createBackupFixture('sqlite');
  await using hub = await startAt(old);
  for (let at = 0; at < 20; at++) await createRepo({ ...hub.as(ADMIN), repo: `admin/letters-${at}` });
  good = readFileSync((await backedUp(old)).file);
});
afterAll(() => old[Symbol.asyncDispose]());

/** Creates a fixture without a data folder, and a file to restore there. */
async function untouched() {
  const fixture = await createBackupFixture('sqlite');
  const file = join(fixture.folder, 'bad.backup');
  return {
    file,
    restore: () => restoreAt(fixture, file),
    nothingThere: () => !existsSync(fixture.config.dataDir),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** Changes the lines of a backup and seals it again, as a program would, in contrast to an accident. */
async function rewritten(change: (lines: string[]) => string[]): Promise<Buffer> {
  const lines = gunzipSync(good).toString().split('\n');
  return await buffer(Readable.from([gzipSync(change(lines).join('\n'))]).pipe(createSealing()));
}

const changeHeader = (change: object) =>
  rewritten(([header = '', ...lines]) => [JSON.stringify({ ...JSON.parse(header), ...change }), ...lines]);

describe('a damaged file is refused before the database is opened:', () => {
  test('truncated anywhere', async () => {
    await using target = await untouched();
    writeFileSync(target.file, good);
    const fixtures = Array.from({ length: 150 }, (_, at) => Math.floor((good.length * at) / 150));
    for (const length of [...fixtures, ...[92, 91, 2, 1].map((missing) => good.length - missing)].sort(
      (a, b) => b - a,
    )) {
      truncateSync(target.file, length);
      await expect(target.restore(), `cut to ${length}`).rejects.toThrow(/its end is missing/);
    }
    expect(target.nothingThere()).toBe(true);
  });

  test('with any single bit flipped', async () => {
    await using target = await untouched();
    const ends = Array.from({ length: 120 }, (_, at) => (at < 20 ? at : good.length - at + 19));
    const fixtures = Array.from({ length: 300 }, (_, at) => Math.floor((good.length * at) / 300));
    for (const at of [...ends, ...fixtures]) {
      const bytes = Buffer.from(good);
      bytes[at] = good[at]! ^ (1 << (at % 8));
      writeFileSync(target.file, bytes);
      await expect(target.restore(), `bit ${at % 8} of byte ${at}`).rejects.toThrow(/is damaged|its end is missing/);
    }
    expect(target.nothingThere()).toBe(true);
  });

  test('with data after its end or before its start, empty, or not a backup', async () => {
    await using target = await untouched();
    const others = [
      Buffer.concat([good, Buffer.from([0])]),
      Buffer.concat([good, good]),
      Buffer.concat([good.subarray(0, 10), good]),
    ];
    for (const bytes of [...others, Buffer.alloc(0), Buffer.from('{}'), gzipSync('hello'), Buffer.alloc(1000)]) {
      writeFileSync(target.file, bytes);
      await expect(target.restore()).rejects.toThrow(/is damaged|its end is missing/);
    }
    writeFileSync(target.file, gzipSync('hello\n'));
    const sealed = await buffer(Readable.from([gzipSync('{"hello":1}\n')]).pipe(createSealing()));
    writeFileSync(target.file, sealed);
    await expect(target.restore()).rejects.toThrow('is not a backup of Moonbase');
    expect(target.nothingThere()).toBe(true);
  });

  test('of a newer format or a newer schema', async () => {
    await using target = await untouched();
    writeFileSync(target.file, await changeHeader({ format: 2 }));
    await expect(target.restore()).rejects.toThrow('has format 2; this version of Moonbase reads format 1');
    writeFileSync(target.file, await changeHeader({ migrations: ['0001-accounts', '9999-moon'], version: '9.0.0' }));
    await expect(target.restore()).rejects.toThrow(
      'is of a newer version of Moonbase, 9.0.0 (it has the migration 9999-moon)',
    );
    appendFileSync(target.file, '');
    expect(target.nothingThere()).toBe(true);
  });

  test('for a hub with another key, or with none', async () => {
    const file = join(old.folder, 'good.backup');
    writeFileSync(file, good);
    const settings = { MOONBASE_SECRET_KEY: 'another key, long enough to be taken as well' };
    await using another = await createBackupFixture('sqlite', settings);
    await expect(restoreAt(another, file)).rejects.toThrow(
      /encrypted with the key of its hub: what that had as MOONBASE_SECRET_KEY, .* MOONBASE_SECRET_KEY is another key\.$/,
    );
    await using none = await createBackupFixture('sqlite', { MOONBASE_SECRET_KEY: '' });
    await expect(restoreAt(none, file)).rejects.toThrow(/Set MOONBASE_SECRET_KEY to it, or put that file into /);
    expect([another, none].map(({ config }) => existsSync(config.dataDir))).toEqual([false, false]);
  });
});

describe.each(KINDS)('on %s, an error inside a sealed file leaves the database empty:', (kind) => {
  /** Returns the first row of a table. */
  const rowOf = (lines: string[], table: string) =>
    lines.findIndex((line) => line.startsWith(`{"table":"${table}"`)) + 1;
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

  test.each<[string, (lines: string[]) => string[]]>([
    ['a row that its hash does not cover', (lines) => lines.map((line) => line.replace('letters-7', 'letters-8'))],
    ['a missing row', (lines) => lines.toSpliced(rowOf(lines, 'repositories'), 1)],
    ['a missing table', (lines) => lines.filter((line) => !/"(table|end)":"scim_roles"/.test(line))],
    ['no end', (lines) => lines.slice(0, -2)],
    ['something after the end', (lines) => [...lines, '[]']],
    ['a line that is not JSON', (lines) => lines.toSpliced(5, 0, '{{')],
    [
      'columns that the schema does not have',
      (lines) => lines.map((line) => line.replace('"columns":["avatar_url",', '"columns":["id) values (1); --",')),
    ],
    [
      'a table that the schema does not have',
      (lines) =>
        lines.toSpliced(
          -2,
          0,
          '{"table":"pg_user","columns":["a"]}',
          '[1]',
          `{"end":"pg_user","rows":1,"sha256":"${digestOf('[1]')}"}`,
        ),
    ],
    [
      'a row that refers to nothing',
      (lines) => {
        const at = rowOf(lines, 'memberships');
        const row = '["read",1,0,"nobody","read","","nobody"]';
        return lines.toSpliced(at, 1, row, `{"end":"memberships","rows":1,"sha256":"${digestOf(row)}"}`);
      },
    ],
  ])('%s', async (_, change) => {
    await using fixture = await createBackupFixture(kind);
    const file = join(fixture.folder, 'bad.backup');
    writeFileSync(file, await rewritten(change));
    await expect(restoreAt(fixture, file)).rejects.toThrow(/is damaged|does not fit its own schema|foreign key/i);
    expect(await isEmpty(fixture)).toBe(true);
    // The refused restore left the fixture usable.
    writeFileSync(file, good);
    expect((await restoreAt(fixture, file)).rows).toBeGreaterThan(20);
  });
});
