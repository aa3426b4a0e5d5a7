import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Config } from './config.ts';
import { databaseOf, migrations } from './infrastructure.ts';
import { BackupError } from './platform/backup/backup-error.ts';
import type { Header, Progress, Summary } from './platform/backup/format.ts';
import { loadBackup } from './platform/backup/load-backup.ts';
import { readHeader } from './platform/backup/read-backup.ts';
import { checkSeal, createSealing } from './platform/backup/seal.ts';
import { backupLines } from './platform/backup/write-backup.ts';
import { systemClock } from './platform/clock.ts';
import { migrationNames } from './platform/database/migrate.ts';
import { openSnapshot } from './platform/database/snapshot.ts';
import { IN_MEMORY } from './platform/database/sqlite.ts';
import { openDatabase } from './platform/database/transaction.ts';
import { opensCheck } from './platform/keys/check-key.ts';
import { readKeys } from './platform/keys/key-file.ts';
import { VERSION } from './platform/version.ts';

export { BackupError, type Progress, type Summary };

/** Half the time of the default for a few per cent more bytes: the snapshot is held that much shorter. */
const GZIP_LEVEL = 3;

/**
 * Writes everything that the hub of these settings knows, as it is at this moment, while it goes on working. What is
 * encrypted stays so, and the key is not in it. Ends `output`.
 */
export async function backup(
  config: Config,
  output: Writable,
  progress: (progress: Progress) => void = () => {},
): Promise<Summary> {
  try {
    refuseMemory(config);
    await using snapshot = await openSnapshot(databaseOf(config));
    const around = { clock: systemClock, version: VERSION, known: await migrationNames(migrations), progress };
    let summary: Summary | undefined;
    const lines = async function* () {
      summary = yield* backupLines(snapshot, around);
    };
    await pipeline(lines, createGzip({ level: GZIP_LEVEL }), createSealing(), output);
    if (!summary) throw new Error('The lines of the backup ended early');
    return summary;
  } catch (error) {
    output.destroy();
    throw error;
  }
}

/**
 * Fills the empty database of these settings from a backup. Everything that can be wrong with the file or the key is
 * found before the database is opened; whatever goes wrong after that leaves it empty.
 */
export async function restore(
  config: Config,
  file: string,
  progress: (progress: Progress) => void = () => {},
): Promise<Summary> {
  refuseMemory(config);
  await checkSeal(file);
  const header = await readHeader(file);
  const known = await migrationNames(migrations);
  const newer = header.migrations.find((name) => !known.includes(name));
  if (newer !== undefined)
    throw new BackupError(
      `${file} is of a newer version of Moonbase, ${header.version} (it has the migration ${newer}). Restore it with that version.`,
    );
  checkKey(config, header);
  const location = databaseOf(config);
  await using database = openDatabase('url' in location ? { ...location, queryTimeoutMs: 0 } : location);
  return await loadBackup(file, { database, migrations, clock: systemClock, progress });
}

function refuseMemory({ dataDir, databaseUrl }: Config): void {
  if (dataDir === IN_MEMORY && databaseUrl === undefined)
    throw new BackupError('MOONBASE_DATA_DIR is :memory:, which nothing else can read or fill.');
}

/** What is sealed would be lost to a hub with another key. */
function checkKey({ secretKey, secretKeyOld, dataDir }: Config, { keyCheck, createdAt }: Header): void {
  if (keyCheck === null) return;
  const needed = `Secrets in this backup of ${createdAt} are encrypted with the key of its hub: what that had as MOONBASE_SECRET_KEY, or the file secret.key of its data folder.`;
  const keys = secretKey === undefined ? readKeys(dataDir) : { key: secretKey, old: secretKeyOld };
  if (keys === undefined)
    throw new BackupError(`${needed} Set MOONBASE_SECRET_KEY to it, or put that file into ${dataDir}.`);
  if (!opensCheck(keys, keyCheck))
    throw new BackupError(
      `${needed} ${secretKey === undefined ? `The file secret.key in ${dataDir}` : 'MOONBASE_SECRET_KEY'} is another key.`,
    );
}
