import { createHash } from 'node:crypto';
import { createWriteStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { backup, restore } from '../src/backup.ts';
import { type Config, readConfig } from '../src/config.ts';
import { createHub } from '../src/hub.ts';
import { KEPT_TABLES } from '../src/platform/backup/table-plan.ts';
import { readCatalog } from '../src/platform/database/catalog.ts';
import { type Database, openDatabase } from '../src/platform/database/transaction.ts';
import { contractFetch } from './contract-fetch.ts';
import { person } from './harness.ts';
import { createTestDatabase, engine } from './test-database.ts';

export const SECRET_KEY = 'a key for tests, long enough to be taken';
export const ADMIN = 'hf_administratorOfTests';

/** Who is in the hubs that are backed up: two users, and an organization of theirs. */
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

/** From where to where: PostgreSQL takes part where the tests have one. */
export const WAYS: readonly (readonly [Kind, Kind])[] =
  engine === 'sqlite'
    ? [['sqlite', 'sqlite']]
    : [
        ['sqlite', 'postgres'],
        ['postgres', 'sqlite'],
        ['postgres', 'postgres'],
      ];
export const KINDS: readonly Kind[] = engine === 'sqlite' ? ['sqlite'] : ['sqlite', 'postgres'];

/** Where a hub can be, with nothing there yet. */
export interface Place extends AsyncDisposable {
  readonly kind: Kind;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Config;
  /** For files beside the data folder. */
  readonly folder: string;
  open(): Database;
}

export async function createPlace(kind: Kind, settings: Readonly<Record<string, string>> = {}): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-backup-'));
  const database = kind === 'postgres' ? await createTestDatabase('empty') : undefined;
  const environment = {
    MOONBASE_PORT: '0',
    MOONBASE_ADMIN_TOKEN: ADMIN,
    MOONBASE_SECRET_KEY: SECRET_KEY,
    MOONBASE_DATA_DIR: join(folder, 'data'),
    ...database?.environment,
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

/** A hub at a place, with nothing in the background. */
export async function startAt(place: Place) {
  const hub = await createHub(place.config, { background: false, logger: pino({ level: 'error' }) });
  await hub.prepare();
  const hubUrl = await hub.start();
  return {
    database: hub.database,
    as: (accessToken: string) => ({ hubUrl, accessToken, fetch: contractFetch, retry: false as const }),
    drain: () => hub.drain(),
    [Symbol.asyncDispose]: () => hub.stop(),
  };
}

/** Backs up a place into a file of its folder. */
export async function backedUp(place: Place, name = 'one.backup') {
  const file = join(place.folder, name);
  return { file, summary: await backup(place.config, createWriteStream(file, { fd: openSync(file, 'w') })) };
}

export const restoreAt = (place: Place, file: string) => restore(place.config, file);

export interface Content {
  readonly rows: number;
  readonly hash: string;
}

/**
 * The content of each table, worked out from the database itself and in another way than backups do: every row as JSON
 * with its columns by name, put in order, hashed together.
 */
export async function contentOf(database: Database): Promise<Record<string, Content>> {
  const catalog = await readCatalog(database);
  const content: Record<string, Content> = {};
  for (const table of KEPT_TABLES) {
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

/** The same, of a place at which nobody works. */
export async function contentAt(place: Place): Promise<Record<string, Content>> {
  await using database = place.open();
  return await contentOf(database);
}

/** Whether there is nothing at a place: no tables, or not even a file. */
export async function isEmpty(place: Place): Promise<boolean> {
  await using database = place.open();
  return (await readCatalog(database)).size === 0;
}

/** SQLite's driver gives bytes as an ArrayBuffer, PostgreSQL's as a Buffer. */
function plain(value: unknown): [type: string, value: unknown] {
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  if (bytes instanceof Uint8Array) return ['bytes', Buffer.from(bytes).toString('hex')];
  if (typeof value === 'object' && value !== null) throw new Error('A value of no known type');
  return [typeof value, value];
}
