import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Config } from './config.ts';
import { openPackArchive } from './content/index.ts';
import { databaseOf, GIT_FOLDER, migrations } from './infrastructure.ts';
import { BackupError } from './platform/backup/backup-error.ts';
import { type CopiedFiles, copyFiles, type NamedFiles } from './platform/backup/copy-files.ts';
import type { Cell, Header, OnProgress, Progress, Summary } from './platform/backup/format.ts';
import { loadBackup } from './platform/backup/load-backup.ts';
import { beginFreshening, type Pruned, pruneFiles } from './platform/backup/prune-files.ts';
import { readHeader, readRows } from './platform/backup/read-backup.ts';
import { checkSeal, createSealing } from './platform/backup/seal.ts';
import { writeWhole } from './platform/backup/whole-file.ts';
import { backupLines } from './platform/backup/write-backup.ts';
import type { BlobName } from './platform/blobs/blob-store.ts';
import { createBlobArchive } from './platform/blobs/folder/blob-archive.ts';
import { BLOBS_FOLDER, openBlobStore } from './platform/blobs/open-blob-store.ts';
import { systemClock } from './platform/clock.ts';
import { migrationNames } from './platform/database/migrate.ts';
import { openSnapshot } from './platform/database/snapshot.ts';
import { IN_MEMORY } from './platform/database/sqlite/sqlite.ts';
import { openDatabase, openDatabaseOfRunningHub } from './platform/database/transaction.ts';
import { createGitArchive } from './platform/git/git-archive.ts';
import { createGitStore } from './platform/git/git-store.ts';
import { opensCheck } from './platform/keys/check-key.ts';
import { readKeys } from './platform/keys/key-file.ts';
import type { SecretKeys } from './platform/secrets.ts';
import { VERSION } from './platform/version.ts';
import { CHUNK_RECORD_BYTES } from './platform/xet/chunk-list.ts';
import { TABLE_PLAN } from './tables.ts';

export { BackupError, type CopiedFiles, type Progress, type Pruned, type Summary, writeWhole };

/** Half the time of the default level for a few per cent more bytes, so that the snapshot is open for less time. */
const GZIP_LEVEL = 3;

interface Writing {
  /** Whether `backupFiles` follows. */
  readonly withFiles: boolean;
  readonly progress?: OnProgress;
}

/**
 * Writes a consistent snapshot of the hub's database to `output` and ends it; the hub keeps working. Encrypted values
 * stay encrypted, and the key is not included.
 */
export async function backup(
  config: Config,
  output: Writable,
  { withFiles, progress = () => {} }: Writing,
): Promise<Summary> {
  try {
    refuseMemory(config);
    await using snapshot = await openSnapshot(databaseOf(config));
    const around = {
      plan: TABLE_PLAN,
      clock: systemClock,
      version: VERSION,
      known: await migrationNames(migrations),
      freshensFiles: withFiles,
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
  keysFor(config, await headerOfIntact(file));
  const location = databaseOf(config);
  await using database = openDatabase('url' in location ? { ...location, queryTimeoutMs: 0 } : location);
  return await loadBackup(file, { database, migrations, plan: TABLE_PLAN, clock: systemClock, progress });
}

/** Returns the header of a backup. Throws if the file is not intact, or of a newer version. */
export async function headerOfIntact(file: string, onRead?: () => void | Promise<void>): Promise<Header> {
  await checkSeal(file, onRead);
  const header = await readHeader(file);
  const known = await migrationNames(migrations);
  const newer = header.migrations.find((name) => !known.includes(name));
  if (newer !== undefined)
    throw new BackupError(
      `${file} is of a newer version of Moonbase, ${header.version} (it has the migration ${newer}). Restore it with that version.`,
    );
  return header;
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
  progress: OnProgress = () => {},
  signal?: AbortSignal,
): Promise<CopiedFiles> {
  const live = livePlaces(config);
  const { s3 } = config.largeFiles;
  const around = { progress, signal };
  const archive = archivePlaces(file);
  try {
    await beginFreshening(filesFolderOf(file));
    await archive.blobs.sweep({ streamsOlderThanMs: LEFT_MS, uploadsOlderThanMs: LEFT_MS });
    const named = await namedFiles(file, progress);
    if (config.git.store === 'folder' || !s3) return await copyFiles(live, archive, named, around);
    await using database = openDatabaseOfRunningHub(databaseOf(config));
    await using git = openPackArchive(database.read, s3);
    return await copyFiles({ ...live, git }, archive, named, around);
  } finally {
    await live.blobs[Symbol.asyncDispose]();
  }
}

/**
 * Deletes the files of repositories that no backup in a folder needs any more. To be called after a backup that lacks no files:
 * what a hub has lost may be there alone.
 */
export async function pruneBackupFiles(folder: string, progress: OnProgress = () => {}): Promise<Pruned> {
  const files = join(folder, FILES_FOLDER);
  return await pruneFiles({ backups: folder, files, archives: Object.values(archivesIn(files)) }, progress);
}

/**
 * Copies the files of repositories that a backup names from the folder beside it, each compared with its hash; git objects
 * come into the data folder, whatever the settings say.
 */
export async function restoreFiles(
  config: Config,
  file: string,
  progress: OnProgress = () => {},
): Promise<CopiedFiles> {
  refuseMemory(config);
  await checkSeal(file);
  const live = livePlaces(config);
  try {
    return await copyFiles(archivePlaces(file), live, await namedFiles(file, progress), { progress });
  } finally {
    await live.blobs[Symbol.asyncDispose]();
  }
}

const livePlaces = ({ dataDir, largeFiles }: Config) => ({
  git: createGitStore(join(dataDir, GIT_FOLDER), { durable: true }),
  blobs: openBlobStore({ dataDir, s3: largeFiles.s3 }),
});

const archivesIn = (folder: string) => ({
  git: createGitArchive(join(folder, GIT_FOLDER)),
  blobs: createBlobArchive(join(folder, BLOBS_FOLDER)),
});

/** Returns the places of the files of a backup. */
export const archivePlaces = (file: string) => archivesIn(filesFolderOf(file));

/** How old what a copy that broke off has left must be before it is deleted: another copy may be at work. */
const LEFT_MS = 24 * 60 * 60_000;

/**
 * Returns the git folders and the blobs that the rows of a backup name: large files, and the lists of their chunks, without which
 * a restored hub could not serve files of buckets.
 */
export async function namedFiles(file: string, progress: OnProgress): Promise<NamedFiles> {
  const git: string[] = [];
  const blobs = new Map<string, BlobName>();
  const lists = new Map<string, { readonly sha256: string; size: number }>();
  let read = 0;
  for await (const { table, columns, rows } of readRows(file)) {
    read += rows.length;
    await progress({ table: 'the names of files', rows: read });
    const textIn = (row: readonly Cell[], name: string) => {
      const cell = row[columns.indexOf(name)];
      return typeof cell === 'string' ? cell : undefined;
    };
    const numberIn = (row: readonly Cell[], name: string) => Number(row[columns.indexOf(name)]);
    for (const row of rows) {
      const [id = '', sha256 = ''] = [textIn(row, 'id'), textIn(row, 'sha256')];
      if (table === 'repositories' && textIn(row, 'head_sha') !== undefined) git.push(id);
      if (table === 'repo_files') blobs.set(sha256, { sha256, size: numberIn(row, 'size') });
      const list = table === 'xet_files' && textIn(row, 'chunks_sha256');
      if (list) lists.set(sha256, { sha256: list, size: 0 });
      const listed = table === 'xet_file_xorbs' && lists.get(sha256);
      if (listed) listed.size += numberIn(row, 'chunks') * CHUNK_RECORD_BYTES;
    }
  }
  for (const list of lists.values()) blobs.set(list.sha256, list);
  return { git, blobs: [...blobs.values()] };
}

function refuseMemory({ dataDir, databaseUrl }: Config): void {
  if (dataDir === IN_MEMORY && databaseUrl === undefined)
    throw new BackupError('MOONBASE_DATA_DIR is :memory:, which nothing else can read or fill.');
}

/**
 * Returns the keys of the settings, if there are any. Throws if they are not those of the backup, whose sealed values would
 * be lost.
 */
export function keysFor(
  { secretKey, secretKeyOld, dataDir }: Pick<Config, 'secretKey' | 'secretKeyOld' | 'dataDir'>,
  { keyCheck, createdAt }: Header,
): SecretKeys | undefined {
  const keys = secretKey === undefined ? readKeys(dataDir) : { key: secretKey, old: secretKeyOld };
  if (keyCheck === null) return keys;
  const needed = `Secrets in this backup of ${createdAt} are encrypted with the key of its hub: what that had as MOONBASE_SECRET_KEY, or the file secret.key of its data folder.`;
  if (keys === undefined)
    throw new BackupError(`${needed} Set MOONBASE_SECRET_KEY to it, or put that file into ${dataDir}.`);
  if (!opensCheck(keys, keyCheck))
    throw new BackupError(
      `${needed} ${secretKey === undefined ? `The file secret.key in ${dataDir}` : 'MOONBASE_SECRET_KEY'} is another key.`,
    );
  return keys;
}
