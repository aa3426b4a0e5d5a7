import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHub } from '@moonbase/server';
import { readConfig } from '@moonbase/server/config';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../src/program/program.ts';

let folder: string;
let old: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moonbase-cli-backup-'));
  old = { MOONBASE_DATA_DIR: join(folder, 'old'), MOONBASE_PORT: '0', MOONBASE_LOG_LEVEL: 'error' };
  const hub = await createHub(readConfig(old), { background: false });
  await hub.prepare();
  await hub.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command with the settings of a hub. */
async function moonbase(argv: string[], env: Record<string, string> = old, terminal = {}) {
  let out = '';
  let err = '';
  const status = await run(argv, {
    env,
    stdin: (async function* () {})(),
    out(text) {
      out += text;
    },
    err(text) {
      err += text;
    },
    ...terminal,
  });
  return { status, out, err };
}

/** Creates a data folder that contains only the key of the old hub; returns the setting that names it. */
function newDataFolder(name: string): Record<string, string> {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'secret.key'), readFileSync(join(folder, 'old', 'secret.key')));
  return { MOONBASE_DATA_DIR: path };
}

describe('moonbase backup', () => {
  test('writes a file that only its owner can read and restore accepts, and says where the key is', async () => {
    const file = join(folder, 'one.backup');
    expect(await moonbase(['backup', file])).toEqual({
      status: 0,
      out: expect.stringMatching(
        /^\S+one\.backup has \d+ rows of \d+ tables, as of 20\S+Z\.\nThe backup .* keep \S+old\/secret\.key elsewhere\.\n$/,
      ),
      err: '',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.partial`)).toBe(false);
    expect(await moonbase(['restore', file], newDataFolder('one'))).toEqual({
      status: 0,
      out: expect.stringMatching(/^Restored \d+ rows of \d+ tables, as of 20\S+Z\.\n$/),
      err: '',
    });
  });

  test('deletes what no backup in the folder needs with --prune, and refuses that where no files are copied', async () => {
    const place = join(folder, 'pruned');
    const unneeded = join(place, 'moonbase-files/blobs/ab/cd', `abcd${'0'.repeat(60)}`);
    mkdirSync(join(unneeded, '..'), { recursive: true });
    for (const path of [join(place, 'moonbase-files/fresh-since'), unneeded]) {
      writeFileSync(path, 'of long ago');
      utimesSync(path, 1_000_000_000, 1_000_000_000);
    }
    const file = join(place, 'one.backup');
    for (const [words, left] of [
      [['backup', file], 1],
      [['backup', '--prune', file], 0],
    ] as const) {
      const { status, out } = await moonbase([...words]);
      expect(status).toBe(0);
      expect(out.includes('Files that no backup in the folder needs, now deleted: 1, 11 bytes.\n')).toBe(left === 0);
      expect(readdirSync(join(unneeded, '..'))).toHaveLength(left);
    }
    writeFileSync(join(place, 'one.backup.gpg'), 'what nobody can read');
    const { status, err } = await moonbase(['backup', '--prune', file]);
    expect([status, err]).toEqual([
      0,
      expect.stringMatching(/^No old files were deleted: one\.backup\.gpg is no backup/),
    ]);
    for (const words of [['-'], ['--database-only', file]])
      expect(await moonbase(['backup', '--prune', ...words])).toMatchObject({ status: 2, out: '' });
  });

  test('prints the same as JSON with --json, and shows progress only at a terminal', async () => {
    const file = join(folder, 'two.backup');
    const written = await moonbase(['backup', '--json', file]);
    expect(JSON.parse(written.out)).toMatchObject({ engine: 'sqlite', tables: expect.any(Array), rows: 3 });
    const read = await moonbase(['--json', 'restore', file], newDataFolder('two'));
    expect(JSON.parse(read.out)).toEqual(JSON.parse(written.out));
    expect(written.err + read.err).toBe('');
    const shown = await moonbase(['backup', file], old, { isErrorTerminal: true });
    expect(shown.err).toContain('Backing up settings: 1 rows');
    expect(shown.err.endsWith('\r\u001b[K')).toBe(true);
  });

  test('that fails keeps the existing backup and leaves no partial file', async () => {
    const file = join(folder, 'three.backup');
    writeFileSync(file, 'an older one');
    expect(await moonbase(['backup', file], { MOONBASE_DATA_DIR: join(folder, 'nowhere') })).toEqual({
      status: 1,
      out: '',
      err: `There is no database in the data folder ${join(folder, 'nowhere')}: set MOONBASE_DATA_DIR.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('an older one');
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test.each([
    ['to a terminal', ['backup', '-'], {}, /^A backup is binary/],
    ['over a device', ['backup', '/dev/null'], {}, /is not a regular file/],
    ['without a file', ['backup'], {}, /missing required argument/],
    ['with wrong settings', ['backup', 'x'], { MOONBASE_PORT: 'many' }, /^The settings are wrong:\n {2}MOONBASE_PORT/],
  ])('%s is wrong usage', async (_, argv, env, message) => {
    expect(await moonbase(argv, { ...old, ...env }, { isTerminal: true })).toEqual({
      status: 2,
      out: '',
      err: expect.stringMatching(message),
    });
  });
});

describe('moonbase restore', () => {
  test('refuses a truncated file, another key, and a missing file', async () => {
    const file = join(folder, 'four.backup');
    await moonbase(['backup', file]);
    const cut = join(folder, 'cut.backup');
    writeFileSync(cut, readFileSync(file).subarray(0, -1));
    const empty = newDataFolder('four');
    expect(await moonbase(['restore', cut], empty)).toMatchObject({
      status: 1,
      err: expect.stringContaining('its end is missing'),
    });
    writeFileSync(join(folder, 'four', 'secret.key'), 'another key, which is long enough to be one');
    expect(await moonbase(['restore', file], empty)).toMatchObject({
      status: 1,
      err: expect.stringContaining(`The file secret.key in ${join(folder, 'four')} is another key.\n`),
    });
    expect(await moonbase(['restore', '/nowhere/x'], empty)).toMatchObject({
      status: 1,
      err: 'Cannot restore /nowhere/x: no such file\n',
    });
    expect(await moonbase(['restore', '-'], empty)).toMatchObject({ status: 2 });
    expect(readdirSync(join(folder, 'four'))).toEqual(['secret.key']);
  });
});

describe('moonbase backup verify', () => {
  test('prints a line for each check, ends with a verdict, and leaves the hub and the temporary folder alone', async () => {
    const file = join(folder, 'five.backup');
    await moonbase(['backup', file]);
    // SQLite deletes its log some time after the backup, whose connection was the last one.
    const lasting = () => readdirSync(join(folder, 'old')).filter((name) => !/-(?:shm|wal)$/.test(name));
    const before = lasting();
    const verified = await moonbase(['backup', 'verify', file]);
    expect(verified).toEqual({ status: 0, out: expect.any(String), err: '' });
    expect(verified.out.replaceAll(folder, '').replaceAll(/\d+(?:,\d{3})*/g, 'N')).toBe(
      [
        'file:         N bytes, as they were written',
        'key:          it is that of the backup',
        'large files:  N match their SHA-N, N bytes',
        'rows:         N of N tables, as many as in the backup',
        'references:   N foreign keys hold',
        'secrets:      N can be opened with the key',
        'audit log:    N events in N chains match their hashes',
        'repositories: N pass git fsck',
        '/five.backup can be restored.\n',
      ].join('\n'),
    );
    expect(lasting()).toEqual(before);
    const { out } = await moonbase(['backup', 'verify', '--json', '--database-only', file]);
    expect(JSON.parse(out)).toMatchObject({ file, sound: true, checks: expect.any(Array) });
  });

  test('says on standard error what is wrong with a file, and ends with 1', async () => {
    const file = join(folder, 'six.backup');
    await moonbase(['backup', file]);
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    expect(await moonbase(['backup', 'verify', file])).toEqual({
      status: 1,
      out: '',
      err: expect.stringMatching(
        /^file: {9}\S+ is not a whole backup .* its end is missing.*\n\S+ cannot be restored as it is\.\n$/,
      ),
    });
    const { status, out, err } = await moonbase(['backup', 'verify', '--json', file]);
    expect({ status, err, ...JSON.parse(out) }).toMatchObject({ status: 1, err: '', sound: false, createdAt: null });
    expect(await moonbase(['backup', 'verify', '/nowhere/x'])).toEqual({
      ...{ status: 1, out: '' },
      err: 'Cannot rehearse the restore of /nowhere/x: no such file\n',
    });
  });

  test('can be interrupted', async () => {
    const file = join(folder, 'seven.backup');
    await moonbase(['backup', file]);
    const onInterrupt = (listener: () => void) => {
      listener();
      return () => {};
    };
    expect(await moonbase(['backup', 'verify', file], old, { onInterrupt })).toEqual({
      ...{ status: 1, out: '' },
      err: 'The rehearsal was interrupted, and is deleted.\n',
    });
  });

  test('finds the newest backup of the hub in its folder', async () => {
    const place = join(folder, 'place');
    mkdirSync(place);
    const file = join(place, 'moonbase-2026-11-26T031500Z.backup');
    await moonbase(['backup', file]);
    const settings = { ...old, MOONBASE_BACKUP_TO: place };
    expect((await moonbase(['backup', 'verify', '--newest'], settings)).out).toContain(`${file} can be restored.`);
    expect(await moonbase(['backup', 'verify', '--newest'])).toMatchObject({
      ...{ status: 1, err: 'MOONBASE_BACKUP_TO is not set: give a file.\n' },
    });
  });

  test.each([
    ['without a file', [], /^Give either a file or --newest/],
    ['with both', ['--newest', 'x'], /^Give either a file or --newest/],
    ['of standard input', ['-'], /^A backup is read several times/],
    ['with another database', ['--database', 'mysql://x', 'x'], /begins with postgres:/],
  ])('%s is wrong usage', async (_, argv, message) => {
    expect(await moonbase(['backup', 'verify', ...argv])).toMatchObject({
      ...{ status: 2, out: '', err: expect.stringMatching(message) },
    });
  });
});
