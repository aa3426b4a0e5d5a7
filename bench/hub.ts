import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import pg from 'pg';
import { createTestDatabase, engine } from '../packages/server/test/test-database.ts';
import { type HubProcess, startHubProcess } from '../test/hub-process.ts';

export { engine };

export const ACCESS_TOKEN = 'hf_tokenOfTheBenchmarkWithEnoughLetters';

/** A second connection to the database of a hub, for counting and filling. */
export interface Side {
  number(query: string): Promise<number>;
  text(query: string): Promise<string>;
  run(statement: string): Promise<void>;
  /**
   * Does at once what would otherwise happen after a large insert, or after the first rows of a table, during the
   * measurement: PostgreSQL's maintenance, without which it plans for an almost empty table for up to a minute, or on
   * SQLite the move of the rows from the log to the disk.
   */
  settle(): Promise<void>;
}

export interface Connection {
  readonly hubUrl: string;
  readonly accessToken: string;
}

export interface BenchHub extends AsyncDisposable {
  readonly url: URL;
  readonly pid: number;
  /** The settings with which another process opens the same database. */
  readonly environment: Readonly<Record<string, string>>;
  readonly connection: Connection;
  readonly side: Side;
  /** Returns the folders of attempts of jobs. */
  attempts(): Promise<string[]>;
  /** The folder or URL where a bare loop writes to a database of the same engine. */
  readonly database: { readonly folder: string } | { readonly url: string };
}

export interface BenchDatabase extends AsyncDisposable {
  /** The settings with which any number of hubs open the database; PostgreSQL only. */
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly url: string | undefined;
  readonly side: Side;
}

/** Creates an empty database, and a folder for the data of hubs. */
export async function createBenchDatabase(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-'));
  const database = await createTestDatabase();
  const url = database.environment.MOONBASE_DATABASE_URL;
  const side = url === undefined ? sqliteSide(join(folder, 'moonbase.db')) : postgresSide(url);
  return {
    settings: {
      ...(process.env.BENCH_NODE_OPTIONS && { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS }),
      ...database.environment,
      MOONBASE_DATA_DIR: folder,
      MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
      MOONBASE_MAX_WEBHOOKS: '10000',
    },
    folder,
    url,
    side,
    async [Symbol.asyncDispose]() {
      await side[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Prints the standard error of hubs, whose log has errors only. */
export function tellErrors(errors: string): void {
  if (errors !== '') console.error(errors);
}

/** Starts the built hub on an empty database, in a process of its own, as operators run it. */
export async function startBenchHub(settings: Readonly<Record<string, string>> = {}): Promise<BenchHub> {
  const database = await createBenchDatabase();
  const { side, folder } = database;
  const hub: HubProcess = await startHubProcess({ ...database.settings, ...settings });
  return {
    url: new URL(hub.url),
    pid: hub.pid,
    environment: database.settings,
    connection: { hubUrl: hub.url, accessToken: ACCESS_TOKEN },
    side,
    attempts: () => readdir(join(folder, 'jobs')),
    database: database.url === undefined ? { folder } : { url: database.url },
    async [Symbol.asyncDispose]() {
      await hub.stop();
      tellErrors(hub.errors());
      await database[Symbol.asyncDispose]();
    },
  };
}

function sqliteSide(file: string): Side & AsyncDisposable {
  let opened: Libsql.Database | undefined;
  // The connection is opened at its first use, because the hub creates the file.
  const database = () => {
    if (opened) return opened;
    opened = new Libsql(file);
    opened.exec('pragma busy_timeout = 20000; pragma synchronous = off');
    return opened;
  };
  return {
    number: async (query) => Object.values(database().prepare(query).get() as Record<string, number>)[0] ?? 0,
    text: async (query) => String(Object.values(database().prepare(query).get() as Record<string, string>)[0]),
    run: async (statement) => {
      database().exec(statement);
    },
    settle: async () => {
      database().exec('pragma synchronous = full; pragma wal_checkpoint(passive); pragma synchronous = off');
    },
    [Symbol.asyncDispose]: async () => {
      opened?.close();
    },
  };
}

function postgresSide(url: string): Side & AsyncDisposable {
  const client = new pg.Client({ connectionString: url });
  const connected = client.connect();
  return {
    async number(query) {
      await connected;
      const { rows } = await client.query<Record<string, string>>(query);
      return Number(Object.values(rows[0] ?? {})[0] ?? 0);
    },
    async text(query) {
      await connected;
      const { rows } = await client.query<Record<string, string>>(query);
      return String(Object.values(rows[0] ?? {})[0]);
    },
    async run(statement) {
      await connected;
      await client.query(statement);
    },
    async settle() {
      await connected;
      await client.query('vacuum analyze');
      await client.query('checkpoint');
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
