import { mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { createCheckpoints } from './checkpoints.ts';

test('another thread writes committed pages back while this one reads and writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-checkpoints-'));
  const file = join(folder, 'test.db');
  const database = new Libsql(file);
  database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table words (word text)');
  const insert = database.prepare('insert into words (word) values (?)');
  const checkpoints = createCheckpoints(file, { afterMs: 10, longestLog: 50 });
  try {
    expect(statSync(file).size).toBeLessThan(10_000);
    for (let at = 0; at < 100; at++) insert.run(['x'.repeat(4000)]);
    checkpoints.committed();
    for (let turn = 0; turn < 500 && statSync(file).size < 400_000; turn++) {
      insert.run(['a word']);
      expect(database.prepare('select count(*) as count from words').get()).toMatchObject({ count: 101 + turn });
      await pause(10);
    }
    expect(statSync(file).size).toBeGreaterThan(400_000);

    // A log that has become long is due for a restart, once.
    for (let turn = 0; turn < 500 && !checkpoints.isDue(); turn++) {
      checkpoints.committed();
      await pause(10);
    }
    expect(checkpoints.isDue()).toBe(false);
  } finally {
    await checkpoints.close();
    database.close();
    rmSync(folder, { recursive: true });
  }
});

/** Returns whether any thread of this process has a file of the folder open. */
const isOpen = (folder: string) =>
  readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  });

test.runIf(process.platform === 'linux')(
  'after a close no file is open, whatever the thread was doing and even if the folder is gone',
  async () => {
    for (let at = 0; at < 20; at++) {
      const folder = mkdtempSync(join(tmpdir(), 'moonbase-checkpoints-'));
      const file = join(folder, 'test.db');
      const database = new Libsql(file);
      database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table words (word text)');
      const checkpoints = createCheckpoints(file, { afterMs: 0 });
      checkpoints.committed();
      // In turn, the thread begins, opens the database, works, or has worked.
      await pause(4 * at);
      database.close();
      const gone = `${folder}.gone`;
      renameSync(folder, at % 2 === 0 ? gone : folder);
      await checkpoints.close();
      expect(isOpen(folder)).toBe(false);
      for (const each of [folder, gone]) rmSync(each, { recursive: true, force: true });
    }
  },
);
