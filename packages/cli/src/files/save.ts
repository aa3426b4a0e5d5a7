import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { DamagedFileError, type FileSource, isFile, type KnownFile, type OpenFile } from '@moonbase/client/files';
import { FailedError, reasonOf } from '../program/failure.ts';
import { createNodeHash } from './hash.ts';
import { localSource } from './local-source.ts';

/** A file of a repository to download into a folder. */
export interface Download extends KnownFile {
  readonly path: string;
}

/** The suffix of partial downloads: the first characters of the file's id and `.part`. */
export const PART_FILE = /\.[0-9a-f]{12}\.part$/;
const ID_CHARACTERS = 12;

/** Returns whether the file exists locally with the same bytes. */
export async function isSaved(folder: string, { path, id, size }: Download): Promise<boolean> {
  const target = join(folder, ...path.split('/'));
  const found = await lstat(target).catch(() => undefined);
  return found?.isFile() === true && found.size === size && isFile(await localSource(target), id, createNodeHash);
}

type Open = (begun: FileSource | undefined) => Promise<OpenFile>;

/**
 * Saves a file below a folder. Until all bytes are there and correct, they stay in a file of another name, from which
 * the next attempt continues.
 */
export async function saveFile(
  folder: string,
  file: Download,
  openFile: Open,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const target = join(folder, ...file.path.split('/'));
  try {
    await makeFolder(folder, dirname(target));
    const part = `${target.slice(0, -basename(target).length)}${partName(target, file.id)}`;
    await write(part, file, openFile, onBytes);
    await rename(part, target);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new FailedError(`Cannot write ${target}: ${reasonOf(error)}`);
  }
}

const partName = (target: string, id: string): string => `${basename(target)}.${id.slice(0, ID_CHARACTERS)}.part`;

async function write(part: string, file: Download, openFile: Open, onBytes: (bytes: number) => void): Promise<void> {
  const partial = await sourceOfPart(part, file.size);
  if (partial) onBytes(partial.size);
  // A link in place of the partial file would lead elsewhere.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  const output = await open(part, partial ? flags : flags | constants.O_TRUNC, 0o666);
  try {
    const { stream } = await openFile(partial);
    const reader = stream.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        await output.appendFile(next.value);
        onBytes(next.value.length);
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
    await output.sync();
    if ((await output.stat()).size !== file.size)
      throw new DamagedFileError(`Something else has written to ${part} at the same time`);
  } catch (error) {
    // The bytes are wrong, so the next attempt has to start over.
    if (error instanceof DamagedFileError) await rm(part, { force: true });
    throw error;
  } finally {
    await output.close();
  }
}

/** Returns the partial file that an earlier attempt left. */
async function sourceOfPart(part: string, size: number): Promise<FileSource | undefined> {
  const found = await lstat(part).catch(() => undefined);
  return found?.isFile() && found.size > 0 && found.size <= size ? localSource(part) : undefined;
}

/** Creates the parent folder of a file, unless a link leads out of the download folder. */
async function makeFolder(folder: string, inner: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  let at = root;
  for (const part of relative(folder, inner).split(sep).filter(Boolean)) {
    at = join(at, part);
    await mkdir(at).catch((error: unknown) => {
      if (!isSystemError(error) || error.code !== 'EEXIST') throw error;
    });
    if (!(await lstat(at)).isDirectory()) throw new FailedError(`Cannot write below ${at}: it is a file or a link.`);
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error;
