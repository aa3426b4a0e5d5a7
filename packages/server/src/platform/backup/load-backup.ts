import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { insertRows } from '../database/bulk.ts';
import { readCatalog } from '../database/catalog.ts';
import { MIGRATING, migrateWithin } from '../database/migrate.ts';
import { type Database, type Executor, serialize } from '../database/transaction.ts';
import { BackupError } from './backup-error.ts';
import { fromCell, type Progress, type Summary } from './format.ts';
import { readHeader, readRows, type SomeRows } from './read-backup.ts';
import { KEPT_TABLES, KNOWN_TABLES } from './table-plan.ts';

/** What every part of the loading needs. */
interface Around {
  readonly database: Database;
  /** The folder of the migrations. */
  readonly migrations: string;
  readonly clock: Clock;
  readonly progress: (progress: Progress) => void;
}

/** Throws unless the database has none of the hub's tables. */
export async function requireEmpty(database: Pick<Database, 'engine' | 'read'>): Promise<void> {
  const catalog = await readCatalog(database);
  const taken = KNOWN_TABLES.find((table) => catalog.has(table));
  if (taken !== undefined)
    throw new BackupError(
      `The database is not empty (it has the table ${taken}), and nothing is ever overwritten. ${
        database.engine === 'sqlite'
          ? 'Move moonbase.db away, with moonbase.db-wal and moonbase.db-shm where they are, or name another MOONBASE_DATA_DIR.'
          : 'Name an empty one with MOONBASE_DATABASE_URL.'
      }`,
    );
}

/**
 * Restores into an empty database, all in one transaction: whatever goes wrong, it is empty as before. The tables are
 * made as they were when the backup was taken, filled, and brought up to date as those of a hub are at its start.
 */
export async function loadBackup(file: string, { database, migrations, clock, progress }: Around): Promise<Summary> {
  const { engine } = database;
  const header = await readHeader(file);
  const summary = await database.transaction(async (tx) => {
    const within = { engine, read: tx };
    await serialize(tx, MIGRATING);
    await requireEmpty(within);
    await migrateWithin(tx, engine, migrations, clock.now(), header.migrations);
    const catalog = await readCatalog(within);
    let loaded = 0;
    const rows = readRows(file);
    for (;;) {
      const { done, value } = await rows.next();
      if (done) {
        await checkCounts(tx, value);
        await migrateWithin(tx, engine, migrations, clock.now());
        return value;
      }
      const columns = catalog.get(value.table) ?? new Map<string, string>();
      await insertRows(tx, value.table, columnsFor(value, columns), objectsOf(value));
      loaded += value.rows.length;
      progress({ table: value.table, rows: loaded });
    }
  });
  await refreshStatistics(database);
  return summary;
}

/** Names from the file stand in statements only where the database has the same ones. */
function columnsFor({ table, columns }: SomeRows, there: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (!KEPT_TABLES.includes(table) || [...there.keys()].join() !== columns.join())
    throw new BackupError(`The backup does not fit its own schema: the columns of ${table} are others.`);
  return there;
}

const objectsOf = ({ columns, rows }: SomeRows) =>
  rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at] ?? '', fromCell(cell)])));

async function checkCounts(tx: Executor, { tables }: Summary): Promise<void> {
  for (const { table, rows } of tables) {
    const { rows: counted } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      tx,
    );
    if (Number(counted[0]?.count) !== rows) throw new BackupError(`Not all rows of ${table} were taken.`);
  }
}

/** PostgreSQL plans badly until it has looked at the tables; where this fails, it does so by itself a little later. */
async function refreshStatistics(database: Database): Promise<void> {
  if (database.engine !== 'postgres') return;
  const tables = sql.join(KEPT_TABLES.map((table) => sql.table(table)));
  await database.transaction((tx) => sql`analyze ${tables}`.execute(tx)).catch(() => {});
}
