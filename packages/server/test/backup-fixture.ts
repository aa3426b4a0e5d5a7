import { createHash } from 'node:crypto';
import { createWriteStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { backup, restore } from '../src/backup.ts';
import { type Config, readConfig } from '../src/config.ts';
import { createHub } from '../src/hub.ts';
import { keptTables } from '../src/platform/backup/table-plan.ts';
import { readCatalog } from '../src/platform/database/catalog.ts';
import { type Database, openDatabase } from '../src/platform/database/transaction.ts';
import { TABLE_PLAN } from '../src/tables.ts';
import { contractFetch } from './contract-fetch.ts';
import { person } from './harness.ts';
import { createTestDatabase, engine } from './test-database.ts';

const KEPT = keptTables(TABLE_PLAN);

export const SECRET_KEY = 'a key for tests, long enough to be taken';
export const ADMIN = 'hf_administratorOfTests';

/** The content of the hubs that are backed up: two users and their organization. */
export const TEAM = {
  users: [person('alice'), person('bob')],
  organizations: [
    {
      name: 'acme',
      plan: 'enterprise' as const,
      members: [
        { user: 'alice', role: 'admin' },
        { user: 'bob', role: 'write' },
      ],
    },
  ],
};

export type Kind = Database['engine'];

/** The engines of a backup and of its restoration, with PostgreSQL where the tests run on it. */
export const WAYS: readonly (readonly [Kind, Kind])[] =
  engine === 'sqlite'
    ? [['sqlite', 'sqlite']]
    : [
        ['sqlite', 'postgres'],
        ['postgres', 'sqlite'],
        ['postgres', 'postgres'],
      ];
export const KINDS: readonly Kind[] = engine === 'sqlite' ? ['sqlite'] : ['sqlite', 'postgres'];

/** The configuration of a hub with an empty database. */
export interface BackupFixture extends AsyncDisposable {
  readonly kind: Kind;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Config;
  /** A folder for files beside the data folder. */
  readonly folder: string;
  open(): Database;
}

export async function createBackupFixture(
  kind: Kind,
  settings: Readonly<Record<string, string>> = {},
): Promise<BackupFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-backup-'));
  const database = kind === 'postgres' ? await createTestDatabase('empty') : undefined;
  const environment = {
    MOONBASE_PORT: '0',
    MOONBASE_ADMIN_TOKEN: ADMIN,
    MOONBASE_SECRET_KEY: SECRET_KEY,
    ...database?.environment,
    MOONBASE_DATA_DIR: join(folder, 'data'),
    ...settings,
  };
  const config = readConfig(environment);
  const { databaseUrl: url, dataDir } = config;
  return {
    kind,
    environment,
    config,
    folder,
    open: () => openDatabase(url === undefined ? { folder: dataDir } : { url }),
    async [Symbol.asyncDispose]() {
      await database?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the hub of a fixture without background work. */
export async function startAt(fixture: BackupFixture) {
  const hub = await createHub(fixture.config, { background: false, logger: pino({ level: 'error' }) });
  await hub.prepare();
  const hubUrl = await hub.start();
  return {
    database: hub.database,
    as: (accessToken: string) => ({ hubUrl, accessToken, fetch: contractFetch, retry: false as const }),
    drain: () => hub.drain(),
    [Symbol.asyncDispose]: () => hub.stop(),
  };
}

/** Backs up the hub of a fixture to a file in its folder. */
export async function backedUp(fixture: BackupFixture, name = 'one.backup', withFiles = true) {
  const file = join(fixture.folder, name);
  const output = createWriteStream(file, { fd: openSync(file, 'w') });
  return { file, summary: await backup(fixture.config, output, { withFiles }) };
}

export const restoreAt = (fixture: BackupFixture, file: string) => restore(fixture.config, file);

export interface Content {
  readonly rows: number;
  readonly hash: string;
}

/**
 * Returns a hash of each table, computed in a different way from backups: every row as JSON with its columns by name,
 * the rows sorted and hashed together.
 */
export async function contentOf(database: Database): Promise<Record<string, Content>> {
  const catalog = await readCatalog(database);
  const content: Record<string, Content> = {};
  for (const table of KEPT) {
    if (!catalog.has(table)) continue;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(database.read);
    const texts = rows.map((row) =>
      JSON.stringify(
        Object.keys(row)
          .sort()
          .map((column) => [column, ...plain(row[column])]),
      ),
    );
    const hash = createHash('sha256').update(texts.sort().join('\n')).digest('hex');
    content[table] = { rows: rows.length, hash };
  }
  return content;
}

/** Returns the same hashes for a fixture whose hub is not running. */
export async function contentAt(fixture: BackupFixture): Promise<Record<string, Content>> {
  await using database = fixture.open();
  return await contentOf(database);
}

/** Returns whether the database of a fixture has no tables. */
export async function isEmpty(fixture: BackupFixture): Promise<boolean> {
  await using database = fixture.open();
  return (await readCatalog(database)).size === 0;
}

/**
 * Returns a value with its type, since bytes are an ArrayBuffer from the SQLite driver and a Buffer from that of
 * PostgreSQL.
 */
function plain(value: unknown): [type: string, value: unknown] {
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  if (bytes instanceof Uint8Array) return ['bytes', Buffer.from(bytes).toString('hex')];
  if (typeof value === 'object' && value !== null) throw new Error('A value of no known type');
  return [typeof value, value];
}
