import { mkdir, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { codeOf } from '../../../platform/error-text.ts';
import { type ProcessIdentity, parseStat } from './process-session.ts';

/*
 * The files in the folder of an attempt:
 * - `started` is created exclusively, by the process that begins, with its line of /proc, or by the hub, which so keeps
 *   the process from beginning.
 * - `exit` is written by the process when its command has ended.
 * - `output` is what the command writes.
 */

/** The content of `started` if the hub created the file. */
const SEALED = 'sealed';
const POLL_MS = 10;
const MAX_POLLS = 200;

const undefinedWhereMissing = (error: unknown): undefined => {
  if (codeOf(error) !== 'ENOENT') throw error;
  return undefined;
};

export const folderOf = (attempts: string, key: string, random: string): string => join(attempts, `${key}.${random}`);

export const keyOf = (name: string): string => name.replace(/\.[^.]*$/, '');

/** Returns the names of all attempt folders. */
export const folderNames = async (attempts: string): Promise<string[]> =>
  (await readdir(attempts).catch(undefinedWhereMissing)) ?? [];

export const makeFolder = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'work'), { recursive: true, mode: 0o700 });
};

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

const contentOf = (folder: string, name: string): Promise<string | undefined> =>
  readFile(join(folder, name), 'utf8').catch(undefinedWhereMissing);

/** Returns the process that has begun; undefined if none has, or if the folder is sealed. */
export async function startedIn(folder: string): Promise<ProcessIdentity | undefined> {
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const content = await contentOf(folder, 'started');
    if (content === undefined) return undefined;
    // The file exists before its line is written, so a missing line break means that the rest is still to come.
    if (content.endsWith('\n')) return content.startsWith(SEALED) ? undefined : parseStat(content);
    await setTimeout(POLL_MS);
  }
  return undefined;
}

/** Prevents the process of a folder from beginning; returns false if it has begun. */
export async function seal(folder: string): Promise<boolean> {
  try {
    const file = await open(join(folder, 'started'), 'wx', 0o600);
    await file.writeFile(`${SEALED}\n`);
    await file.close();
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return true;
    if (code !== 'EEXIST') throw error;
    return (await startedIn(folder)) === undefined;
  }
}

/** Returns the exit status of the command; undefined until it ends. */
export async function exitCodeIn(folder: string): Promise<number | undefined> {
  const content = await contentOf(folder, 'exit');
  return content !== undefined && /^\d+\n/.test(content) ? Number.parseInt(content, 10) : undefined;
}

export const openOutput = (folder: string) => open(join(folder, 'output'), 'a', 0o600);

/** Returns at most `maxBytes` of the output from an offset. */
export async function readOutput(folder: string, offset: number, maxBytes: number): Promise<Buffer> {
  const file = await open(join(folder, 'output'), 'r').catch(undefinedWhereMissing);
  if (!file) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.max(0, Math.min(maxBytes, size - offset)));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Empties the output. The command appends, so later output starts at the beginning. */
export async function emptyOutput(folder: string): Promise<void> {
  const path = join(folder, 'output');
  const file = await stat(path).catch(undefinedWhereMissing);
  if (file && file.size > 0) await truncate(path, 0).catch(undefinedWhereMissing);
}
