import { lstat, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../durable-folders.ts';
import { codeOf } from '../error-text.ts';
import type { Deleted, Deleting } from '../files/stale-files.ts';
import { BackupError } from './backup-error.ts';
import type { OnProgress } from './format.ts';
import { readHeader } from './read-backup.ts';

/**
 * How long before the oldest backup a file must have been needed last. A power failure may take back the times that the last
 * backup has set, but not those of all backups of a month.
 */
const UNNEEDED_MS = 30 * 24 * 60 * 60_000;

/** Its age says since when each backup freshens the files that it needs; older times of files say nothing. */
const SINCE = 'fresh-since';
const SINCE_TEXT = `Each backup since this file was written has given the files here that it needs the time at which it looked
for them. What none has needed for 30 days before the oldest backup can be deleted. Without this file nothing is
deleted until backups have been made for as long again.
`;

/** Remembers in the folder with the files of backups that they are freshened from now on, unless they were before. */
export async function beginFreshening(folder: string): Promise<void> {
  await makeFolder(folder, { durable: true });
  await writeFile(join(folder, SINCE), SINCE_TEXT, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

interface Places {
  /** The folder of the backups. */
  readonly backups: string;
  /** The folder of their files. */
  readonly files: string;
  readonly archives: readonly { deleteStale(deleting: Deleting): Promise<Deleted> }[];
}

export interface Pruned extends Deleted {
  /** Why nothing may be deleted; names a file among the backups. */
  readonly hindrance?: string | undefined;
}

/**
 * Deletes the files that no backup has needed for 30 days before the oldest backup. Nothing is deleted while there is a file
 * among the backups that is not known to have freshened what it needs.
 */
export async function pruneFiles({ backups, files, archives }: Places, progress: OnProgress): Promise<Pruned> {
  const deleted = { files: 0, bytes: 0 };
  const { oldest, hindrance } = await lookAtBackups(backups);
  if (hindrance !== undefined) return { ...deleted, hindrance };
  const since = await changedAt(join(files, SINCE));
  if (since === undefined || oldest === undefined) return deleted;
  const before = oldest - UNNEEDED_MS;
  if (since > before) return deleted;
  let looked = 0;
  const onEach = () => progress({ table: 'old files', rows: ++looked });
  for (const archive of archives) {
    const went = await archive.deleteStale({ before, onEach });
    deleted.files += went.files;
    deleted.bytes += went.bytes;
  }
  return deleted;
}

/** Returns the moment of the oldest backup in a folder, or what stands in the way of knowing which files are needed. */
async function lookAtBackups(folder: string): Promise<{ readonly oldest?: number; readonly hindrance?: string }> {
  let oldest: number | undefined;
  for (const name of (await readdir(folder)).sort()) {
    const seen = await lookAt(join(folder, name));
    if (typeof seen === 'string') return { hindrance: `${name} ${seen}` };
    if (seen !== undefined) oldest = Math.min(seen, oldest ?? seen);
  }
  return oldest === undefined ? {} : { oldest };
}

/** Returns the moment of a backup, or why it is unknown what it needs; undefined for a folder, and if the file is gone. */
async function lookAt(file: string): Promise<number | string | undefined> {
  try {
    if (!(await stat(file)).isFile()) return undefined;
    const { createdAt, freshensFiles } = await readHeader(file);
    if (!freshensFiles) return 'is a backup without files, or of a version that did not note which ones it needs';
    const moment = Date.parse(createdAt);
    return Number.isNaN(moment) ? 'is a backup without a moment' : moment;
  } catch (error) {
    if (error instanceof BackupError) return 'is no backup that can be read, such as an encrypted one';
    unlessMissing(error);
    return (await lstat(file).catch(unlessMissing)) && 'is a link to a file that is not there';
  }
}

const changedAt = async (path: string): Promise<number | undefined> => (await stat(path).catch(unlessMissing))?.mtimeMs;

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
