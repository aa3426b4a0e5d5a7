import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, type Executor, serialize } from './transaction.ts';

/** Called with the names of the migrations that have run, and how long they took. */
type OnMigrated = (names: readonly string[], ms: number) => void;

/** The lock that serializes processes that create or change tables. */
export const MIGRATING = 7780;

/**
 * Migrates the schema: runs the files of the folder in the order of their names, each once, in a single transaction, and
 * safely when several processes start at once. Returns the name of the newest migration. Throws if a newer version has
 * written the database.
 */
export async function migrate(
  database: Database,
  folder: string,
  now: number,
  onMigrated: OnMigrated = () => {},
): Promise<string> {
  const begunAt = performance.now();
  let names: string[] = [];
  const newest = await database.transaction((tx) => {
    names = [];
    return migrateWithin(tx, database.engine, folder, now, { onRun: (name) => names.push(name) });
  });
  if (names.length > 0) onMigrated(names, Math.round(performance.now() - begunAt));
  return newest;
}

interface Some {
  /** Runs just these migrations; absent: all. */
  readonly only?: readonly string[];
  readonly onRun?: (name: string) => void;
}

/** Migrates in an open transaction. */
export async function migrateWithin(
  tx: Executor,
  engine: Database['engine'],
  folder: string,
  now: number,
  { only, onRun = () => {} }: Some = {},
): Promise<string> {
  const files = await migrationFiles(folder, engine);
  await serialize(tx, MIGRATING);
  await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(tx);
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(tx);
  const applied = new Set(rows.map((row) => row.name));
  for (const name of applied) {
    if (!files.has(name))
      throw new Error(
        `This database was written by a newer version of Moonbase (it has the migration ${name}). Start that version, or restore an older backup.`,
      );
  }
  for (const [name, file] of files) {
    if (applied.has(name) || only?.includes(name) === false) continue;
    await runScript(tx, await readFile(join(folder, file), 'utf8'));
    await sql`insert into migrations (name, applied_at) values (${name}, ${now})`.execute(tx);
    onRun(name);
  }
  return [...files.keys()].at(-1) ?? 'none';
}

/** Returns whether a database has exactly the migrations of the folder. */
export async function isUpToDate({ read }: Database, folder: string): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(read);
  return rows.map(({ name }) => name).join() === (await migrationNames(folder)).join();
}

/** Returns the names of all migrations in the folder. */
export async function migrationNames(folder: string): Promise<string[]> {
  return [...(await migrationFiles(folder, 'sqlite')).keys()];
}

/** Maps names to files; on PostgreSQL, `NNNN-what.postgres.sql` takes precedence over `NNNN-what.sql`. */
async function migrationFiles(folder: string, engine: Database['engine']): Promise<Map<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const plain = files.filter((file) => !file.endsWith('.postgres.sql'));
  return new Map(
    plain.map((file) => {
      const name = file.slice(0, -'.sql'.length);
      const special = `${name}.postgres.sql`;
      return [name, engine === 'postgres' && files.includes(special) ? special : file];
    }),
  );
}

/** Statements end with a semicolon at the end of a line. */
async function runScript(tx: Executor, script: string): Promise<void> {
  for (const statement of script.split(/;\s*$/m)) {
    if (statement.replace(/^\s*--.*$/gm, '').trim()) await sql.raw(statement).execute(tx);
  }
}
