import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../packages/server/src/config.ts';
import { openInfrastructure } from '../../packages/server/src/infrastructure.ts';
import { tightenFolder } from '../../packages/server/src/platform/private-files.ts';

let parent: string;
let folder: string;
let said: string[];
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'moonbase-modes-'));
  folder = join(parent, 'data');
  said = [];
});
afterEach(() => rmSync(parent, { recursive: true }));

/** Opens the infrastructure of a hub, runs `look`, and closes it. */
async function start<T>(look: () => T): Promise<T> {
  const logger = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) });
  const { database } = await openInfrastructure(readConfig({ MOONBASE_DATA_DIR: folder }), { logger });
  try {
    return look();
  } finally {
    await database[Symbol.asyncDispose]();
  }
}

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);
const modes = () => Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));
const ALONE = {
  'moonbase.db': '600',
  'moonbase.db-shm': '600',
  'moonbase.db-wal': '600',
  'moonbase.lock': '600',
  'moonbase.lock-journal': '600',
  'secret.key': '600',
};

describe('a data folder', () => {
  test.each([0o000, 0o022, 0o077])('is created for its owner only, under the umask %i', async (umask) => {
    const before = process.umask(umask);
    try {
      expect(await start(modes)).toEqual(ALONE);
    } finally {
      process.umask(before);
    }
    expect(modeOf(folder)).toBe('700');
    expect(said).toEqual([]);
  });

  test('with access for others is restricted at the next start, files included, and the log says so', async () => {
    await start(modes);
    mkdirSync(join(folder, 'jobs'));
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666);
    chmodSync(join(folder, 'jobs'), 0o775);
    writeFileSync(join(folder, 'secret.key.old'), 'a key of before', { mode: 0o644 });
    chmodSync(folder, 0o2775);
    expect(await start(modes)).toEqual({ ...ALONE, jobs: '700', 'secret.key.old': '600' });
    expect(modeOf(folder)).toBe('2700');
    const log = said.map((line) => JSON.parse(line) as { path: string; mode: string });
    expect(log).toContainEqual(expect.objectContaining({ path: folder, mode: '2775' }));
    expect(log).toContainEqual(expect.objectContaining({ path: join(folder, 'secret.key'), mode: '0666' }));
    said = [];
    await start(modes);
    expect(said).toEqual([]);
  });

  test('with files of other programs stays accessible, with a warning, but the files of the hub are restricted', async () => {
    mkdirSync(folder, { mode: 0o755 });
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'of-somebody-else'), '', { mode: 0o644 });
    chmodSync(join(folder, 'of-somebody-else'), 0o644);
    writeFileSync(join(folder, 'secret.key'), 'k'.repeat(44), { mode: 0o644 });
    expect(await start(modes)).toEqual({ ...ALONE, 'of-somebody-else': '644' });
    expect(modeOf(folder)).toBe('755');
    expect(said.join('')).toContain('of-somebody-else');
  });
});

// Root may change every mode; so if the tests run as root, they give a folder to nobody and use it as another user.
test.runIf(process.getuid?.() === 0)(
  'a folder that belongs to another user, such as a mounted volume, is used with a warning',
  () => {
    mkdirSync(folder);
    chownSync(folder, 0, 4711);
    chmodSync(folder, 0o2775);
    chmodSync(parent, 0o755);
    const left: object[] = [];
    process.setegid?.(4711);
    process.seteuid?.(4711);
    try {
      tightenFolder(folder, {
        own: [],
        onTightened: () => expect.unreachable(),
        onUnchanged: (warning) => left.push(warning),
      });
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
    expect(left).toEqual([{ path: folder, mode: '2775', reason: expect.stringContaining('EPERM') }]);
    expect(modeOf(folder)).toBe('2775');
    expect(existsSync(folder)).toBe(true);
  },
);
