import { migrate } from '../src/platform/database/migrate.ts';
import { type Database, openDatabase } from '../src/platform/database/transaction.ts';
import { createTestDatabase, migrations } from './test-database.ts';

export { migrations };

/** A database without a hub around it. */
export interface OpenTestDatabase extends AsyncDisposable {
  readonly database: Database;
  /** Another way into the same database: a connection pool of its own on PostgreSQL, the same one on SQLite. */
  again(): Database;
}

/** An empty database of its own, of the engine that the tests run on; without tables. */
export const openEmptyDatabase = (): Promise<OpenTestDatabase> => open('empty');

async function open(content: 'tables' | 'empty'): Promise<OpenTestDatabase> {
  const made = await createTestDatabase(content);
  const url = made.environment.MOONBASE_DATABASE_URL;
  const database = openDatabase(url === undefined ? { folder: ':memory:' } : { url });
  const opened = [database];
  return {
    database,
    again() {
      if (url === undefined) return database;
      const another = openDatabase({ url });
      opened.push(another);
      return another;
    },
    async [Symbol.asyncDispose]() {
      for (const each of opened) await each[Symbol.asyncDispose]();
      await made[Symbol.asyncDispose]();
    },
  };
}

/** The same with the tables of the hub. */
export async function openTestDatabase(): Promise<OpenTestDatabase> {
  const opened = await open('tables');
  await migrate(opened.database, migrations, 0);
  return opened;
}
