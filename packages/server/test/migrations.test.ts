import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from '../src/platform/database/migrate.ts';
import type { Database } from '../src/platform/database/transaction.ts';
import { migrations, openEmptyDatabase } from './open-test-database.ts';

/** Brings an empty database to the schema as it was with the migration of that number. */
async function migrateUpTo(database: Database, last: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-migrations-'));
  try {
    for (const file of await readdir(migrations))
      if (file.slice(0, 4) <= last) await copyFile(join(migrations, file), join(folder, file));
    await migrate(database, folder, 0);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('what was there before repositories and discussions could be read is dated, counted and found', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0005');
  await database.transaction(async (tx) => {
    const run = (statement: string) => sql.raw(statement).execute(tx);
    await run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
      values ('a', 'user', 'alice', 'alice', 'Alice', 1)`);
    await run(`insert into repositories (id, type, owner_id, name, name_key, created_at)
      values ('r', 'model', 'a', 'letters', 'letters', 10)`);
    for (const num of [1, 2])
      await run(`insert into discussions (id, repo_id, num, title, status, is_pull_request, created_at)
        values ('d${num}', 'r', ${num}, 'A Question', 'open', 0, 20)`);
    for (const [at, type] of ['comment', 'title-change', 'comment', 'status-change'].entries())
      await run(`insert into discussion_events (id, discussion_id, type, created_at, data)
        values ('e${at}', 'd1', '${type}', ${20 + at}, '{}')`);
  });

  await migrate(database, migrations, 0);
  const { executor } = database;
  expect(await executor.selectFrom('repositories').select('last_modified').execute()).toEqual([{ last_modified: 10 }]);
  const columns = ['num', 'title_key', 'comment_count', 'active_at', 'pinned', 'head_sha'] as const;
  expect(await executor.selectFrom('discussions').select(columns).orderBy('num').execute()).toEqual([
    { num: 1, title_key: 'a question', comment_count: 2, active_at: 23, pinned: 0, head_sha: null },
    { num: 2, title_key: 'a question', comment_count: 0, active_at: 20, pinned: 0, head_sha: null },
  ]);
});
