import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { openDatabase } from './transaction.ts';

test('another process that locks the database for too long fails what is asked meanwhile, and nothing after it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-locked-'));
  const database = openDatabase({ folder });
  const { executor } = database;
  const another = new Libsql(join(folder, 'moonbase.db'));
  try {
    await sql`create table things (id integer primary key, count integer)`.execute(executor);
    await sql`insert into things values (1, 0)`.execute(executor);
    await sql`pragma busy_timeout = 20`.execute(executor);
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
