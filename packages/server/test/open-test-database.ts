import { type Database, openDatabase } from '../src/platform/database/transaction.ts';
import { createTestDatabase, migrations } from './test-database.ts';

export { migrations };

/** A database without a hub. */
export interface OpenTestDatabase extends AsyncDisposable {
  readonly database: Database;
  /**
   * Opens the same database again: with a connection pool of its own on PostgreSQL, whose queries fail after
   * `queryTimeoutMs` without a response; on SQLite it is the same object.
   */
  again(options?: { readonly queryTimeoutMs: number }): Database;
}

/** Opens a new database without tables, on the engine of the tests. */
export const openEmptyDatabase = (): Promise<OpenTestDatabase> => open('empty');

async function open(content: 'tables' | 'empty'): Promise<OpenTestDatabase> {
  const made = await createTestDatabase(content);
  const { location } = made;
  const database = openDatabase(location);
  const opened = [database];
  return {
    database,
    again(options) {
      if ('folder' in location) return database;
      const another = openDatabase({ ...location, ...options });
      opened.push(another);
      return another;
    },
    async [Symbol.asyncDispose]() {
      for (const each of opened) await each[Symbol.asyncDispose]();
      await made[Symbol.asyncDispose]();
    },
  };
}

/** Opens a new database with the tables of the hub. */
export const openTestDatabase = (): Promise<OpenTestDatabase> => open('tables');
