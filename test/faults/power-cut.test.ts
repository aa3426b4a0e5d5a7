import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { mountDiskImage } from './disk-image.ts';
import { pause, seeded } from './pace.ts';

const ACCESS_TOKEN = 'hf_tokenOfTheFaultTestsWithEnoughLetters';
const CUTS = 12;
const WRITERS = 6;
/** Bounds what a fast machine writes, about 100 kB of log for each repository. */
const BETWEEN_CHANGES_MS = 20;

/** The script runs in a process of its own, because the driver keeps a database open for the life of its process. */
const READ_NAMES = `
  const database = new (require(process.argv[1]))(process.argv[2]);
  const whole = database.prepare('pragma integrity_check').all();
  const names = database.prepare('select name from repositories').all().map(({ name }) => name);
  process.stdout.write(JSON.stringify({ problems: whole.length - 1, names }));`;

function readNames(folder: string): { readonly problems: number; readonly names: string[] } {
  const driver = createRequire(import.meta.url).resolve('libsql');
  return JSON.parse(
    execFileSync(process.execPath, ['-e', READ_NAMES, driver, `${folder}/moonbase.db`], { encoding: 'utf8' }),
  );
}

const disk = engine === 'sqlite' ? mountDiskImage() : undefined;

test.skipIf(!disk)('after a power cut every acknowledged change is stored', async () => {
  if (!disk) return;
  await using _disk = disk;
  const hub = await startHubProcess({ MOONBASE_DATA_DIR: disk.path, MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN });
  const random = seeded(1);
  const answered: string[] = [];
  let stopped = false;
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let made = 0; !stopped; made++) {
      const name = `repo-${writer}-${made}`;
      await createRepo({ hubUrl: hub.url, accessToken: ACCESS_TOKEN, type: 'model', repo: `admin/${name}` });
      answered.push(name);
      await pause(BETWEEN_CHANGES_MS);
    }
  });
  try {
    for (let cut = 0; cut < CUTS; cut++) {
      await pause(200 + 600 * random());
      // Nothing may be written during the copy of the disk, which takes a while.
      process.kill(hub.pid, 'SIGSTOP');
      const known = [...answered];
      const { problems, names } = disk.afterPowerCut(readNames);
      process.kill(hub.pid, 'SIGCONT');
      const found = new Set(names);
      expect({ problems, lost: known.filter((name) => !found.has(name)) }).toEqual({ problems: 0, lost: [] });
    }
    expect(answered.length).toBeGreaterThan(CUTS);
  } finally {
    stopped = true;
    process.kill(hub.pid, 'SIGCONT');
    await Promise.allSettled(writers);
    await hub.stop();
  }
});
