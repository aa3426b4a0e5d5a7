import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/platform/database/migrate.ts';
import type { Database } from '../src/platform/database/transaction.ts';
import { migrations } from './test-database.ts';

/** Migrates an empty database up to the migration of this number. */
export async function migrateUpTo(database: Database, last: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-migrations-'));
  try {
    for (const file of await readdir(migrations))
      if (file.slice(0, 4) <= last) await copyFile(join(migrations, file), join(folder, file));
    await migrate(database, folder, 0);
  } finally {
    await rm(folder, { recursive: true });
  }
}
