import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
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
