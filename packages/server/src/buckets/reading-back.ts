import { constants } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createPause } from '../platform/cooperative.ts';
import { codeOf } from '../platform/error-text.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest } from '../platform/http/errors.ts';
import type { RepoName } from '../repositories/index.ts';
import type { Change } from './batch.ts';
import { EMPTY_FILES } from './empty-files.ts';
import { pathFault } from './paths.ts';
import { type BucketFolder, type NotedFile, noteOf, prefixOf } from './writing-out.ts';

/** The number of files that one batch changes. */
const BATCH_LINES = 1000;
const READ_BYTES = 256 * 1024;
const MAX_ENTRIES = 500_000;

/** Makes a file of a bucket of bytes; returns its hash. */
export type MakeFile = (
  into: { readonly userId: string; readonly repoId: string },
  file: { readonly size: number },
  bytes: AsyncIterable<Uint8Array>,
) => Promise<string>;

interface Dependencies {
  readonly change: Change;
  readonly makeFile: MakeFile;
  /** The maximum size of a file in bytes. */
  readonly maxBytes: number;
}

interface BackTarget {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Returns who changes the bucket, and its name, both as of now. Throws if they may not. */
  readonly writerNow: (bucketId: string) => Promise<{ readonly caller: Caller; readonly name: RepoName }>;
}

interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
}

/** Lists the files of a folder. Whatever else is there, such as links and devices, is left out. */
async function filesIn(folder: string, signal: AbortSignal): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const pause = createPause();
  const folders = [''];
  let entries = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const here = join(folder, next);
    const inside = await readdir(here, { withFileTypes: true }).catch((error: unknown) => rethrow(error, here));
    for (const entry of inside) {
      signal.throwIfAborted();
      entries += 1;
      if (entries > MAX_ENTRIES) throw badRequest(`A folder can have at most ${MAX_ENTRIES} files and folders`);
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) found.push({ path, ...(await factsOf(join(folder, path))) });
      const waiting = pause();
      if (waiting) await waiting;
    }
  }
  return found;
}

/** Opens a file that is not a link. */
const openFile = (path: string) =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: unknown) =>
    rethrow(error, path),
  );

/** Whoever filled the folder may have kept the hub out, or used names that are not UTF-8. */
function rethrow(error: unknown, path: string): never {
  if (['EACCES', 'EPERM', 'ENOENT'].includes(codeOf(error) ?? ''))
    throw badRequest(`The hub cannot read ${basename(path)}`);
  throw error;
}

async function factsOf(path: string): Promise<Pick<FoundFile, 'size' | 'mtime'>> {
  await using file = await openFile(path);
  const { size, mtimeMs } = await file.stat();
  return { size, mtime: Math.round(mtimeMs) };
}

async function readNote(folder: string): Promise<{ bucketId: string; before: Map<string, NotedFile> } | undefined> {
  const text = await readFile(noteOf(folder), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  const [bucketId, ...lines] = text?.split('\n').filter((line) => line !== '') ?? [];
  if (bucketId === undefined) return undefined;
  const files = lines.map((line): NotedFile => JSON.parse(line));
  return { bucketId: JSON.parse(bucketId), before: new Map(files.map((file) => [file[0], file])) };
}

/**
 * Returns a function that gives a bucket what has changed in a folder since it was written out: files that are new or have
 * another size or time, and files that are gone. Does so once, and repeats what was interrupted. Throws like a batch.
 */
export const createReadingBack =
  ({ change, makeFile, maxBytes }: Dependencies) =>
  async ({ path: part }: Pick<BucketFolder, 'path'>, { folder, signal, writerNow }: BackTarget): Promise<void> => {
    const note = await readNote(folder);
    if (!note) return;
    const { bucketId, before } = note;
    const prefix = prefixOf({ path: part });

    async function send({ path, size }: FoundFile): Promise<string> {
      const [empty = ''] = EMPTY_FILES.keys();
      if (size === 0) return empty;
      if (size > maxBytes) throw badRequest(`${path} is larger than a file of this hub can be`);
      const { caller } = await writerNow(bucketId);
      await using file = await openFile(join(folder, path));
      return await makeFile({ repoId: bucketId, userId: caller.principal.userId }, { size }, piecesOf(file, signal));
    }

    async function apply(lines: readonly object[]): Promise<void> {
      if (lines.length === 0) return;
      const { caller, name } = await writerNow(bucketId);
      const body = [Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))];
      const callerNow = async () => (await writerNow(bucketId)).caller;
      const { failed } = await change(caller, name, { body: asStream(body), callerNow });
      const [first] = failed;
      if (first) throw badRequest(`${first.path}: ${first.error}`);
    }

    let lines: object[] = [];
    async function add(line: object): Promise<void> {
      if (lines.push(line) < BATCH_LINES) return;
      await apply(lines);
      lines = [];
    }

    for (const file of await filesIn(folder, signal)) {
      const known = before.get(file.path);
      before.delete(file.path);
      if (known && known[1] === file.size && known[2] === file.mtime) continue;
      const path = `${prefix}${file.path}`;
      const fault = pathFault(path);
      if (fault !== undefined) throw badRequest(`${path}: ${fault}`);
      await add({ type: 'addFile', path, xetHash: await send(file), mtime: file.mtime });
    }
    // What is left of the note is gone from the folder.
    for (const path of before.keys()) await add({ type: 'deleteFile', path: `${prefix}${path}` });
    await apply(lines);
    await rm(noteOf(folder));
  };

async function* piecesOf(file: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* asStream(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
