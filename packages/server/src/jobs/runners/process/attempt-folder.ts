import { mkdir, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type ProcessIdentity, parseStat } from './process-session.ts';

/*
 * The folder of one attempt: `started` is made once, by the process that begins (with its own line of /proc) or by the
 * hub, which so keeps it from beginning; `exit` by the process when its command has ended; `output` grows.
 */

const SEALED = 'sealed';
const WRITTEN_MS = 10;
const TRIES = 200;

const missing = (error: unknown): undefined => {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
};

export const folderOf = (attempts: string, key: string, random: string): string => join(attempts, `${key}.${random}`);

export const keyOf = (name: string): string => name.replace(/\.[^.]*$/, '');

/** Every folder of attempts, by name. */
export const folderNames = async (attempts: string): Promise<string[]> =>
  (await readdir(attempts).catch(missing)) ?? [];

export const makeFolder = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'work'), { recursive: true, mode: 0o700 });
};

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

const contentOf = (folder: string, name: string): Promise<string | undefined> =>
  readFile(join(folder, name), 'utf8').catch(missing);

/** Which process has begun; undefined where none has, or none will. */
export async function startedIn(folder: string): Promise<ProcessIdentity | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const content = await contentOf(folder, 'started');
    if (content === undefined) return undefined;
    // Made and written are two steps: without its end, the line is on its way.
    if (content.endsWith('\n')) return content.startsWith(SEALED) ? undefined : parseStat(content);
    await setTimeout(WRITTEN_MS);
  }
  return undefined;
}

/** Keeps the process from beginning. Returns false where it has begun. */
export async function seal(folder: string): Promise<boolean> {
  try {
    const file = await open(join(folder, 'started'), 'wx', 0o600);
    await file.writeFile(`${SEALED}\n`);
    await file.close();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code !== 'EEXIST') throw error;
    return (await startedIn(folder)) === undefined;
  }
}

/** The exit status of the command; undefined while there is none. */
export async function exitCodeIn(folder: string): Promise<number | undefined> {
  const content = await contentOf(folder, 'exit');
  return content !== undefined && /^\d+\n/.test(content) ? Number.parseInt(content, 10) : undefined;
}

export const openOutput = (folder: string) => open(join(folder, 'output'), 'a', 0o600);

/** At most so many bytes of the output, from an offset on. */
export async function readOutput(folder: string, offset: number, most: number): Promise<Buffer> {
  const file = await open(join(folder, 'output'), 'r').catch(missing);
  if (!file) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.max(0, Math.min(most, size - offset)));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What is written later begins anew: the command writes at the end, wherever that is. */
export async function emptyOutput(folder: string): Promise<void> {
  const path = join(folder, 'output');
  const file = await stat(path).catch(missing);
  if (file && file.size > 0) await truncate(path, 0).catch(missing);
}
