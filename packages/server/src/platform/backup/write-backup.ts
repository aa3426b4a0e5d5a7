import type { Clock } from '../clock.ts';
import type { Snapshot } from '../database/snapshot.ts';
import { BackupError } from './backup-error.ts';
import {
  createTableDigest,
  FORMAT,
  type Header,
  lineOfRow,
  type OnProgress,
  type Summary,
  type TableSummary,
} from './format.ts';
import { keptTables, type TablePlan } from './table-plan.ts';

/** The setting in which `checkSecretKeys` stores a sealed value. */
const KEY_CHECK = 'secret-key-check';

interface WriteContext {
  readonly plan: TablePlan;
  readonly clock: Clock;
  readonly version: string;
  /** The migrations of this version. */
  readonly known: readonly string[];
  readonly freshensFiles: boolean;
  readonly progress: OnProgress;
}

/** Yields the lines of a backup in batches, so that memory stays small; returns a summary. */
export async function* backupLines(
  snapshot: Snapshot,
  { plan, clock, version, known, freshensFiles, progress }: WriteContext,
): AsyncGenerator<Buffer, Summary> {
  const createdAt = new Date(clock.now()).toISOString();
  const catalog = await snapshot.catalog();
  const migrations = catalog.has('migrations') ? await firstColumn(snapshot, 'select name from migrations') : [];
  if (migrations.length === 0) throw new BackupError('There is no hub in this database: nothing to back up.');
  const newer = migrations.find((name) => !known.includes(name));
  if (newer !== undefined)
    throw new BackupError(
      `This database was written by a newer version of Moonbase (it has the migration ${newer}). Back it up with that version.`,
    );
  const [keyCheck = null] = await firstColumn(snapshot, `select value from settings where name = '${KEY_CHECK}'`);
  const { engine } = snapshot;
  const header: Header = {
    ...{ moonbase: 'backup', format: FORMAT, createdAt, version, engine, migrations, keyCheck, freshensFiles },
  };
  yield lineOf(header);

  const tables: TableSummary[] = [];
  let rows = 0;
  for (const table of keptTables(plan)) {
    const columns = [...(catalog.get(table)?.keys() ?? [])];
    // Older schemas lack some tables.
    if (columns.length === 0) continue;
    yield lineOf({ table, columns });
    const digest = createTableDigest();
    for await (const some of snapshot.select(`select ${columns.join(', ')} from ${table}`)) {
      const lines = some.map(lineOfRow);
      for (const line of lines) digest.add(line);
      yield Buffer.from(`${lines.join('\n')}\n`);
      rows += some.length;
      await progress({ table, rows });
    }
    const end = digest.result();
    yield lineOf({ end: table, ...end });
    tables.push({ table, ...end });
  }
  yield lineOf({ end: 'backup', tables: tables.length, rows });
  return { header, tables, rows };
}

async function firstColumn(snapshot: Snapshot, query: string): Promise<string[]> {
  const values: string[] = [];
  for await (const some of snapshot.select(query)) values.push(...some.map(([value]) => String(value)));
  return values.sort();
}

const lineOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
