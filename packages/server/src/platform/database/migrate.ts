import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, type Executor, serialize } from './transaction.ts';

interface Listeners {
  /** Called with the names of the migrations that have run, and how long they took. */
  readonly onMigrated?: (names: readonly string[], ms: number) => void;
  /** Called with the migrations of a newer version that the database has, beside which this version works. */
  readonly onNewer?: (names: readonly string[]) => void;
}

/** A migration that a database has. */
interface Applied {
  readonly name: string;
  /** The newest migration that a version must know to use the database; null or absent: this migration. */
  readonly needs?: string | null;
}

/** The file beside the migrations that lists every release with its newest migration, oldest first. */
const RELEASES = 'releases.json';

interface Release {
  readonly version: string;
  readonly newest: string;
}

/** The lock that serializes processes that create or change tables. */
export const MIGRATING = 7780;

/**
 * Migrates the schema: runs the files of the folder in the order of their names, each once, in a single transaction, and
 * safely when several processes start at once. Returns the name of the newest migration. Leaves the database of the release
 * after this one as it is, and throws if a still newer one has written it.
 */
export async function migrate(
  database: Database,
  folder: string,
  now: number,
  { onMigrated = () => {}, onNewer = () => {} }: Listeners = {},
): Promise<string> {
  const begunAt = performance.now();
  let names: string[] = [];
  let newer: readonly string[] = [];
  const newest = await database.transaction((tx) => {
    [names, newer] = [[], []];
    const onRun = (name: string) => names.push(name);
    return migrateWithin(tx, database.engine, folder, now, { onRun, onNewer: (found) => (newer = found) });
  });
  if (names.length > 0) onMigrated(names, Math.round(performance.now() - begunAt));
  if (newer.length > 0) onNewer(newer);
  return newest;
}

interface Some {
  /** Runs just these migrations; absent: all. */
  readonly only?: readonly string[];
  readonly onRun?: (name: string) => void;
  readonly onNewer?: (names: readonly string[]) => void;
}

/** Migrates in an open transaction. */
export async function migrateWithin(
  tx: Executor,
  engine: Database['engine'],
  folder: string,
  now: number,
  { only, onRun = () => {}, onNewer = () => {} }: Some = {},
): Promise<string> {
  const files = await migrationFiles(folder, engine);
  const newest = [...files.keys()].at(-1) ?? 'none';
  await serialize(tx, MIGRATING);
  const applied = await recordedMigrations(tx);
  const newer = newerThan(files, applied);
  if (newer.length > 0) onNewer(newer);
  const needs = await releaseBefore(folder, newest);
  for (const [name, file] of files) {
    if (applied.has(name) || only?.includes(name) === false) continue;
    await runScript(tx, await readFile(join(folder, file), 'utf8'));
    await recordMigration(tx, { name, needs }, now);
    onRun(name);
  }
  return newest;
}

/** Returns the migrations of a newer version. Throws if this version cannot work beside that one. */
function newerThan(files: ReadonlyMap<string, string>, applied: ReadonlyMap<string, Applied>): string[] {
  const newer = [...applied.values()].filter(({ name }) => !files.has(name));
  const isWhole = [...files.keys()].every((name) => applied.has(name));
  const fault = newer.find((each) => !isWhole || !isTolerated(each, files));
  if (fault === undefined) return newer.map(({ name }) => name);
  throw new Error(
    `This database was written by a newer version of Moonbase (it has the migration ${fault.name}). Start that version, or restore an older backup.`,
  );
}

/** Returns whether this version can use a database as it is: all of its migrations have run, and it tolerates others. */
export async function isUsable({ read }: Database, folder: string): Promise<boolean> {
  const known = new Set(await migrationNames(folder));
  const { rows } = await sql<Applied>`select * from migrations`.execute(read);
  const applied = new Set(rows.map(({ name }) => name));
  return [...known].every((name) => applied.has(name)) && rows.every((each) => isTolerated(each, known));
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

/** Returns the migrations that a database has, by name. Creates their table, and adds what earlier versions did not record. */
async function recordedMigrations(tx: Executor): Promise<ReadonlyMap<string, Applied>> {
  await sql`create table if not exists migrations (name text primary key, applied_at bigint not null, needs text)`.execute(
    tx,
  );
  const { rows } = await sql<Applied>`select * from migrations`.execute(tx);
  if (rows.some(({ needs }) => needs === undefined))
    await sql`alter table migrations add column needs text`.execute(tx);
  return new Map(rows.map((row) => [row.name, row]));
}

const recordMigration = (tx: Executor, { name, needs }: Required<Applied>, now: number): Promise<unknown> =>
  sql`insert into migrations (name, applied_at, needs) values (${name}, ${now}, ${needs})`.execute(tx);

/** Returns whether a version that knows these migrations can use a database that has this one. */
const isTolerated = ({ name, needs }: Applied, known: { has(name: string): boolean }): boolean =>
  known.has(name) || (typeof needs === 'string' && known.has(needs));

/**
 * Returns the newest migration of the last release with another newest migration than this version; null if there is none.
 * Versions from that release on work beside this one.
 */
async function releaseBefore(folder: string, newest: string): Promise<string | null> {
  if (!(await readdir(folder)).includes(RELEASES)) return null;
  const releases: readonly Release[] = JSON.parse(await readFile(join(folder, RELEASES), 'utf8'));
  return releases.findLast((each) => each.newest !== newest)?.newest ?? null;
}
