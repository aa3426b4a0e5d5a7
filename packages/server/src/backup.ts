import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Config } from './config.ts';
import { openPackArchive } from './content/index.ts';
import { databaseOf, GIT_FOLDER, migrations } from './infrastructure.ts';
import { BackupError } from './platform/backup/backup-error.ts';
import { type CopiedFiles, copyFiles, type NamedFiles } from './platform/backup/copy-files.ts';
import type { Cell, Header, Progress, Summary } from './platform/backup/format.ts';
import { loadBackup } from './platform/backup/load-backup.ts';
import { readHeader, readRows } from './platform/backup/read-backup.ts';
import { checkSeal, createSealing } from './platform/backup/seal.ts';
import { backupLines } from './platform/backup/write-backup.ts';
import { createFolderStore } from './platform/blobs/folder/folder-store.ts';
import { BLOBS_FOLDER, openBlobStore } from './platform/blobs/open-blob-store.ts';
import { systemClock } from './platform/clock.ts';
import { migrationNames } from './platform/database/migrate.ts';
import { openSnapshot } from './platform/database/snapshot.ts';
import { IN_MEMORY } from './platform/database/sqlite/sqlite.ts';
import { openDatabase, openDatabaseOfRunningHub } from './platform/database/transaction.ts';
import { createGitStore } from './platform/git/git-store.ts';
import { opensCheck } from './platform/keys/check-key.ts';
import { readKeys } from './platform/keys/key-file.ts';
import { VERSION } from './platform/version.ts';
import { TABLE_PLAN } from './tables.ts';

export { BackupError, type CopiedFiles, type Progress, type Summary };

/** Half the time of the default level for a few per cent more bytes, so that the snapshot is open for less time. */
const GZIP_LEVEL = 3;

/**
 * Writes a consistent snapshot of the hub's database to `output` and ends it; the hub keeps working. Encrypted values
 * stay encrypted, and the key is not included.
 */
export async function backup(
  config: Config,
  output: Writable,
  progress: (progress: Progress) => void = () => {},
): Promise<Summary> {
  try {
    refuseMemory(config);
    await using snapshot = await openSnapshot(databaseOf(config));
    const around = {
      plan: TABLE_PLAN,
      clock: systemClock,
      version: VERSION,
      known: await migrationNames(migrations),
      progress,
    };
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
 * Restores a backup into the empty database of these settings. File and key are checked before the database is opened,
 * and any later failure leaves the database empty.
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
  return await loadBackup(file, { database, migrations, plan: TABLE_PLAN, clock: systemClock, progress });
}

/** Beside backups; all backups of a folder share it. */
const FILES_FOLDER = 'moonbase-files';

/** Returns the folder with the files of a backup. */
export const filesFolderOf = (file: string): string => join(dirname(file), FILES_FOLDER);

/**
 * Copies the files of repositories that a backup names into the folder beside it, as far as they are missing there. Comes
 * after the backup: what the database names is on the disk, and stays there for a day.
 */
export async function backupFiles(
  config: Config,
  file: string,
  progress: (progress: Progress) => void = () => {},
): Promise<CopiedFiles> {
  const live = livePlaces(config);
  const { s3 } = config.largeFiles;
  try {
    const named = await namedFiles(file);
    if (config.git.store === 'folder' || !s3) return await copyFiles(live, archivePlaces(file), named, progress);
    await using database = openDatabaseOfRunningHub(databaseOf(config));
    await using git = openPackArchive(database.read, s3);
    return await copyFiles({ ...live, git }, archivePlaces(file), named, progress);
  } finally {
    await live.blobs[Symbol.asyncDispose]();
  }
}

/**
 * Copies the files of repositories that a backup names from the folder beside it, each compared with its hash; git objects
 * come into the data folder, whatever the settings say.
 */
export async function restoreFiles(
  config: Config,
  file: string,
  progress: (progress: Progress) => void = () => {},
): Promise<CopiedFiles> {
  refuseMemory(config);
  await checkSeal(file);
  const live = livePlaces(config);
  try {
    return await copyFiles(archivePlaces(file), live, await namedFiles(file), progress);
  } finally {
    await live.blobs[Symbol.asyncDispose]();
  }
}

const livePlaces = ({ dataDir, largeFiles }: Config) => ({
  git: createGitStore(join(dataDir, GIT_FOLDER), { durable: true }),
  blobs: openBlobStore({ dataDir, s3: largeFiles.s3 }),
});

function archivePlaces(file: string) {
  const folder = filesFolderOf(file);
  return {
    git: createGitStore(join(folder, GIT_FOLDER), { durable: true }),
    blobs: createFolderStore({ folder: join(folder, BLOBS_FOLDER), now: Date.now }),
  };
}

/** Returns the git folders and the blobs that the rows of a backup name. */
async function namedFiles(file: string): Promise<NamedFiles> {
  const git: string[] = [];
  const blobs = new Map<string, { sha256: string; size: number }>();
  for await (const { table, columns, rows } of readRows(file)) {
    if (table !== 'repositories' && table !== 'repo_files') continue;
    const cell = (row: readonly Cell[], name: string) => row[columns.indexOf(name)];
    for (const row of rows) {
      const [id, sha256] = [cell(row, 'id'), cell(row, 'sha256')];
      if (typeof sha256 === 'string') blobs.set(sha256, { sha256, size: Number(cell(row, 'size')) });
      else if (typeof id === 'string' && cell(row, 'head_sha') !== null) git.push(id);
    }
  }
  return { git, blobs: [...blobs.values()] };
}

function refuseMemory({ dataDir, databaseUrl }: Config): void {
  if (dataDir === IN_MEMORY && databaseUrl === undefined)
    throw new BackupError('MOONBASE_DATA_DIR is :memory:, which nothing else can read or fill.');
}

/** Throws if the configured key is not the one of the backup, whose sealed values would be lost. */
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
