import type { Clock } from '../clock.ts';
import { insertRows } from '../database/bulk.ts';
import { analyze, countRows, readCatalog } from '../database/catalog.ts';
import { MIGRATING, migrateWithin } from '../database/migrate.ts';
import { type Database, type Executor, serialize } from '../database/transaction.ts';
import { BackupError } from './backup-error.ts';
import { fromCell, type Header, type OnProgress, type Summary } from './format.ts';
import { type RowBatch, readHeader, readRows } from './read-backup.ts';
import { keptTables, knownTables, type TablePlan } from './table-plan.ts';

/** The dependencies of loading. */
interface LoadContext {
  readonly database: Database;
  /** The folder of the migrations. */
  readonly migrations: string;
  readonly plan: TablePlan;
  readonly clock: Clock;
  readonly progress: OnProgress;
}

/** Throws if the database has any of the hub's tables. */
export async function requireEmpty(database: Pick<Database, 'engine' | 'read'>, plan: TablePlan): Promise<void> {
  const catalog = await readCatalog(database);
  const existing = knownTables(plan).find((table) => catalog.has(table));
  if (existing !== undefined)
    throw new BackupError(
      `The database is not empty (it has the table ${existing}), and nothing is ever overwritten. ${
        database.engine === 'sqlite'
          ? 'Move moonbase.db away, with moonbase.db-wal and moonbase.db-shm where they are, or name another MOONBASE_DATA_DIR.'
          : 'Name an empty one with MOONBASE_DATABASE_URL.'
      }`,
    );
}

/**
 * Restores a backup into an empty database, in one transaction: after any failure the database is as empty as before.
 * Creates the tables as of the backup's migrations, fills them, and then runs the later migrations.
 */
export async function loadBackup(file: string, context: LoadContext): Promise<Summary> {
  const { database, plan } = context;
  const header = await readHeader(file);
  const summary = await database.transaction((tx) => fill(tx, file, header, context));
  await refreshStatistics(database, plan);
  return summary;
}

/**
 * Restores a backup in the same way and rolls it back once `inspect` has seen the filled database, which is as empty as
 * before in any case, even if the process is killed.
 */
export async function rehearseBackup(
  file: string,
  context: LoadContext,
  inspect: (tx: Executor, summary: Summary) => Promise<void>,
): Promise<void> {
  const header = await readHeader(file);
  const seen = new Error('The rehearsal is over');
  await context.database
    .transaction(async (tx) => {
      await inspect(tx, await fill(tx, file, header, context));
      throw seen;
    })
    .catch((error: unknown) => {
      if (error !== seen) throw error;
    });
}

async function fill(
  tx: Executor,
  file: string,
  header: Header,
  { database: { engine }, migrations, plan, clock, progress }: LoadContext,
): Promise<Summary> {
  const within = { engine, read: tx };
  await serialize(tx, MIGRATING);
  await requireEmpty(within, plan);
  await migrateWithin(tx, engine, migrations, clock.now(), { only: header.migrations });
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
    await insertRows(tx, value.table, columnsFor(value, columns, plan), objectsOf(value));
    loaded += value.rows.length;
    await progress({ table: value.table, rows: loaded });
  }
}

/** Column names from the file are used in statements only if they equal those of the database. */
function columnsFor(
  { table, columns }: RowBatch,
  there: ReadonlyMap<string, string>,
  plan: TablePlan,
): ReadonlyMap<string, string> {
  if (!keptTables(plan).includes(table) || [...there.keys()].join() !== columns.join())
    throw new BackupError(`The backup does not fit its own schema: the columns of ${table} are others.`);
  return there;
}

const objectsOf = ({ columns, rows }: RowBatch) =>
  rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at] ?? '', fromCell(cell)])));

async function checkCounts(tx: Executor, { tables }: Summary): Promise<void> {
  for (const { table, rows } of tables) {
    if ((await countRows(tx, table)) !== rows) throw new BackupError(`Not all rows of ${table} were taken.`);
  }
}

/** PostgreSQL plans poorly before tables are analyzed. A failure is ignored, because autovacuum analyzes them later. */
async function refreshStatistics(database: Database, plan: TablePlan): Promise<void> {
  if (database.engine !== 'postgres') return;
  await database.transaction((tx) => analyze(tx, keptTables(plan))).catch(() => {});
}
