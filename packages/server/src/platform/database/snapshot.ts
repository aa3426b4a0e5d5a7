import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { onDemand } from '../on-demand.ts';
import { CATALOG_QUERY, type Catalog, catalogOf } from './catalog.ts';
import { bigintsAsNumbers } from './postgres/postgres.ts';
import type { Database, DatabaseLocation } from './transaction.ts';

/** The state of the database at one moment, read beside a running hub. */
export interface Snapshot extends AsyncDisposable {
  readonly engine: Database['engine'];
  catalog(): Promise<Catalog>;
  /** Returns rows as arrays, a few at a time, in the order of storage. */
  select(query: string): AsyncIterable<readonly (readonly unknown[])[]>;
}

/** The rows of a table in memory at once: so many, or fewer as soon as they have so many characters and bytes together. */
const ROWS_AT_ONCE = 200;
const LENGTH_AT_ONCE = 1024 * 1024;

/** Returns the characters and bytes of a row. */
function lengthOf(row: readonly unknown[]): number {
  let length = 0;
  for (const value of row) if (typeof value === 'string' || value instanceof Uint8Array) length += value.length;
  return length;
}

/** Throws if there is no database. */
export function openSnapshot(location: DatabaseLocation): Promise<Snapshot> {
  return 'url' in location ? postgresSnapshot(location.url) : sqliteSnapshot(location.folder);
}

/**
 * One read transaction of a second process: with a write-ahead log, the transaction and the hub do not wait for each other.
 * The log cannot restart meanwhile and grows by what is written. Takes no lock on the folder, which the hub holds.
 */
async function sqliteSnapshot(folder: string): Promise<Snapshot> {
  const file = join(folder, 'moonbase.db');
  if (!existsSync(file)) throw new Error(`There is no database in the data folder ${folder}: set MOONBASE_DATA_DIR.`);
  const database = new Libsql(file);
  database.exec('pragma busy_timeout = 5000; pragma query_only = on; begin');

  async function* select(query: string) {
    let some: unknown[][] = [];
    let length = 0;
    for (const each of database.prepare(query).raw().iterate()) {
      // `raw` returns each row as an array.
      const row = each as unknown[];
      some.push(row);
      length += lengthOf(row);
      if (some.length < ROWS_AT_ONCE && length < LENGTH_AT_ONCE) continue;
      yield some;
      some = [];
      length = 0;
    }
    if (some.length > 0) yield some;
  }

  return {
    engine: 'sqlite',
    catalog: () => readAll(select(CATALOG_QUERY.sqlite)),
    select,
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

/** The rows of a table that are fetched first; later ones in numbers that suit their length. */
const FIRST_ROWS = 10;

/** Returns how many rows to fetch next: twice as many while rows are short, and fewer where they are long. */
function nextCount(count: number, length: number): number {
  const fitting = Math.floor((count * LENGTH_AT_ONCE) / Math.max(length, 1));
  return Math.max(1, Math.min(ROWS_AT_ONCE, 2 * count, fitting));
}

/** Reads like pg_dump: in one transaction that sees nothing committed after its first statement. */
async function postgresSnapshot(url: string): Promise<Snapshot> {
  const { Client } = onDemand('pg');
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: bigintsAsNumbers,
  });
  // A broken connection fails the next query; without a listener the error would also end the process.
  client.on('error', () => {});
  await client.connect();
  await client.query('begin isolation level repeatable read read only');
  // A snapshot may take longer than the time-outs that the server sets for others.
  await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');

  async function* select(query: string) {
    await client.query(`declare rows_of_backup no scroll cursor for ${query}`);
    for (let count = FIRST_ROWS; ; ) {
      const { rows } = await client.query<unknown[]>({ text: `fetch ${count} from rows_of_backup`, rowMode: 'array' });
      if (rows.length > 0) yield rows;
      if (rows.length < count) break;
      count = nextCount(
        count,
        rows.reduce((sum, row) => sum + lengthOf(row), 0),
      );
    }
    await client.query('close rows_of_backup');
  }

  return {
    engine: 'postgres',
    catalog: () => readAll(select(CATALOG_QUERY.postgres)),
    select,
    [Symbol.asyncDispose]: () => client.end(),
  };
}

async function readAll(batches: AsyncIterable<readonly (readonly unknown[])[]>): Promise<Catalog> {
  const rows: (readonly unknown[])[] = [];
  for await (const batch of batches) rows.push(...batch);
  return catalogOf(rows.map(([table, column, type]) => [String(table), String(column), String(type)]));
}
