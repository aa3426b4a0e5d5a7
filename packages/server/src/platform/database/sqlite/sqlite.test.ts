import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { createGroupCommit } from '../group-commit.ts';
import type { Tables } from '../tables.ts';
import { openDatabase, openDatabaseOfRunningHub } from '../transaction.ts';
import { openSqlite } from './sqlite.ts';

test('a transaction fails while another process locks the database for too long, and later ones succeed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-locked-'));
  const database = openDatabase({ folder });
  const another = new Libsql(join(folder, 'moonbase.db'));
  try {
    await database.transaction(async (tx) => {
      await sql`create table things (id integer primary key, count integer)`.execute(tx);
      await sql`insert into things values (1, 0)`.execute(tx);
      await sql`pragma busy_timeout = 20`.execute(tx);
    });
    const count = () =>
      database.transaction(async (tx) => {
        const { rows } = await sql<{ count: number }>`
          update things set count = count + 1 returning count`.execute(tx);
        return rows[0]?.count;
      });
    another.exec('begin immediate; insert into things values (2, 0)');
    await expect(count()).rejects.toThrow('locked');
    another.exec('rollback');
    expect(await count()).toBe(1);
    expect(await count()).toBe(2);
  } finally {
    another.close();
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
});

test('a change beside a running hub waits for a transaction of the hub, and lets none between its reads and its writes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-beside-'));
  const database = openDatabase({ folder });
  const hub = new Libsql(join(folder, 'moonbase.db'));
  try {
    await database.transaction(async (tx) => {
      await sql`create table things (id integer primary key, count integer)`.execute(tx);
      await sql`insert into things values (1, 0)`.execute(tx);
    });
    await using beside = openDatabaseOfRunningHub({ folder });
    await beside.transaction(async (tx) => {
      await sql`select * from things`.execute(tx);
      expect(() => hub.exec('insert into things values (2, 0)')).toThrow('locked');
      await sql`update things set count = 1`.execute(tx);
    });
    hub.exec('begin immediate; insert into things values (2, 0)');
    const waiting = beside.transaction((tx) => sql`insert into things values (3, 0)`.execute(tx));
    await pause(100);
    hub.exec('commit');
    await waiting;
    expect(hub.prepare('select * from things').all()).toMatchObject([{ id: 1, count: 1 }, { id: 2 }, { id: 3 }]);
  } finally {
    hub.close();
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
});

test('writers do not wait while another process reads, and the long log is restarted after its transaction', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-read-'));
  const file = openSqlite(folder, { afterMs: 1, longestLog: 20 });
  const database = new Kysely<Tables>({ dialect: file.writer });
  let begunAt = 0;
  let slowest = 0;
  // A lock is waited for before the commit; how long the disk takes after it does not count.
  const { run: transaction } = createGroupCommit(database, () => {
    slowest = Math.max(slowest, performance.now() - begunAt);
    return file.sync();
  });
  const log = async () => (await stat(join(folder, 'moonbase.db-wal'))).size;
  await sql`create table things (text text)`.execute(database);
  const another = new Libsql(join(folder, 'moonbase.db'));
  const counted = () => another.prepare('select count(*) as count from things').get();
  async function write(): Promise<void> {
    begunAt = performance.now();
    await transaction((tx) => sql`insert into things values (${'x'.repeat(4000)})`.execute(tx));
    await pause(5);
  }
  try {
    another.exec('begin');
    expect(counted()).toMatchObject({ count: 0 });
    for (let at = 0; at < 100; at++) {
      await write();
      // A statement waits 5 s for another process.
      expect(slowest).toBeLessThan(4000);
    }
    expect(slowest).toBeGreaterThan(0);
    expect(counted()).toMatchObject({ count: 0 });
    const grown = await log();
    expect(grown).toBeGreaterThan(100 * 4096);
    another.exec('commit');
    for (let at = 0; at < 200; at++) await write();
    expect(await log()).toBeLessThan(2 * grown);
  } finally {
    another.close();
    await database.destroy();
    await file.release();
    await rm(folder, { recursive: true });
  }
});
