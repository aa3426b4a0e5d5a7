import { readdir, stat, writeFile } from 'node:fs/promises';
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

/**
 * Deletes the files that no backup has needed for 30 days before the oldest backup. Any other file among the backups, such as an
 * encrypted one, counts as one of the time at which it was last changed.
 */
export async function pruneFiles({ backups, files, archives }: Places, progress: OnProgress): Promise<Deleted> {
  const deleted = { files: 0, bytes: 0 };
  const since = await changedAt(join(files, SINCE));
  const oldest = await oldestIn(backups);
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

async function oldestIn(folder: string): Promise<number | undefined> {
  const times: number[] = [];
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const at = (await stat(file).catch(unlessMissing))?.isFile() ? await writtenAt(file) : undefined;
    if (at !== undefined) times.push(at);
  }
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Returns the moment of a backup, and of any other file when it was last changed; undefined if it is gone. */
async function writtenAt(file: string): Promise<number | undefined> {
  try {
    const moment = Date.parse((await readHeader(file)).createdAt);
    if (!Number.isNaN(moment)) return moment;
  } catch (error) {
    if (!(error instanceof BackupError) && codeOf(error) !== 'ENOENT') throw error;
  }
  return await changedAt(file);
}

const changedAt = async (path: string): Promise<number | undefined> => (await stat(path).catch(unlessMissing))?.mtimeMs;

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
