import type * as routes from '@moonbase/contract/content/files';
import type { TreeItem } from '../generated/content.ts';
import { repoParams } from '../repo-name.ts';
import { type Hub, send, urlOf } from '../request.ts';
import { type CreateHash, createHash as createPlainHash } from './hashing.ts';
import { hasherFor } from './identity.ts';
import { commitAt, type FileRepo, getEntry } from './repo-file.ts';
import { isTransient, mayTryAgain, pause } from './retrying.ts';
import { chunksOf, type FileSource, streamOf } from './source.ts';

/** Thrown if the bytes of a file do not match their hash. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/** The size of a file and its id: the git blob id, or the SHA-256 of a large file. */
export interface KnownFile {
  readonly id: string;
  readonly size: number;
}

/** Returns the size and id of a file from a list entry. */
export const fileIn = ({ oid, size, lfs }: TreeItem): KnownFile => ({ id: lfs?.oid ?? oid, size: lfs?.size ?? size });

export interface OpenFileParams extends Hub, FileRepo {
  /** A branch, a tag or a commit id, `main` by default. With `known`: the commit that contains the file. */
  readonly revision?: string | undefined;
  readonly path: string;
  /** The size and id from a list (`fileIn`); if absent, the hub is asked. */
  readonly known?: KnownFile | undefined;
  /** The beginning of the file, which the caller already has: it is hashed but not downloaded again. */
  readonly begun?: FileSource | undefined;
  readonly createHash?: CreateHash | undefined;
}

export interface OpenFile extends KnownFile {
  readonly path: string;
  /** The remaining bytes. Reading fails at the end if the bytes do not match the file's hash. */
  readonly stream: ReadableStream<Uint8Array>;
}

/**
 * Opens a file for reading. After a broken connection the download continues where it stopped; the bytes are compared
 * with their hash. Throws a `HubApiError`: 401, 404; the stream throws a `DamagedFileError`.
 */
export async function openFile(params: OpenFileParams): Promise<OpenFile> {
  const commit = params.known && params.revision ? params.revision : await commitAt(params);
  const { id, size } = params.known ?? (await findFile(params, commit));
  return { path: params.path, size, id, stream: streamOf(verified(params, { commit, id, size })) };
}

async function findFile(params: OpenFileParams, revision: string): Promise<KnownFile> {
  const entry = await getEntry({ ...params, revision });
  if (entry.type !== 'file') throw new TypeError(`\`path\` must be a file, and ${params.path} is a folder`);
  return fileIn(entry);
}

/**
 * Returns the bytes of a file after comparing them with their hash. Throws a `HubApiError`: 401, 404; a
 * `DamagedFileError`.
 */
export async function readFile(params: OpenFileParams): Promise<Blob> {
  const { stream } = await openFile(params);
  return new Response(stream).blob();
}

interface Target extends KnownFile {
  readonly commit: string;
}

async function* verified(params: OpenFileParams, { commit, id, size }: Target): AsyncGenerator<Uint8Array, void> {
  const { path, begun, createHash = createPlainHash } = params;
  const hasher = hasherFor(id, size, createHash);
  if (!hasher) throw new DamagedFileError(`The hub names no hash of ${path}`);
  let at = 0;
  if (begun)
    for await (const chunk of chunksOf(begun)) {
      hasher.update(chunk);
      at += chunk.length;
    }
  for await (const chunk of remaining(params, commit, { from: at, size })) {
    at += chunk.length;
    if (at > size) throw new DamagedFileError(`The hub sends more than the ${size} bytes of ${path}`);
    hasher.update(chunk);
    yield chunk;
  }
  if (at !== size || hasher.hex() !== id) throw new DamagedFileError(`The bytes of ${path} are not those of the file`);
}

/** Yields the bytes from an offset, with a further request after each broken connection. */
async function* remaining(
  params: OpenFileParams,
  commit: string,
  { from, size }: { readonly from: number; readonly size: number },
): AsyncGenerator<Uint8Array, void> {
  let at = from;
  let failures = 0;
  while (at < size) {
    const before = at;
    try {
      for await (const chunk of await request(params, commit, at)) {
        at += chunk.length;
        yield chunk;
        if (at >= size) return;
      }
      throw new TypeError('The connection broke');
    } catch (error) {
      if (at > before) failures = 0;
      if (!isTransient(error) || !mayTryAgain(params, failures)) throw error;
      await pause(params, failures);
      failures++;
    }
  }
}

async function request(params: OpenFileParams, commit: string, from: number): Promise<AsyncGenerator<Uint8Array>> {
  const response = await send(params, urlOfFile({ ...params, revision: commit }), {
    method: 'GET',
    ...(from > 0 && { headers: { Range: `bytes=${from}-` } }),
  });
  const first = response.status === 206 ? /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] : '0';
  const { body } = response;
  if (!body || Number(first ?? Number.NaN) > from || first === undefined) {
    await body?.cancel();
    throw new DamagedFileError(`The hub sends another part of ${params.path} than was asked for`);
  }
  return after(chunksOf({ stream: () => body }), from - Number(first));
}

/** Skips bytes that are already there, because a hub or a proxy may send all of them. */
async function* after(chunks: AsyncGenerator<Uint8Array, void>, skipped: number): AsyncGenerator<Uint8Array, void> {
  let toSkip = skipped;
  for await (const chunk of chunks) {
    if (toSkip < chunk.length) yield chunk.subarray(toSkip);
    toSkip = Math.max(0, toSkip - chunk.length);
  }
}

/** Returns the URL of a file's bytes. */
export function urlOfFile(
  params: Pick<Hub, 'hubUrl'> &
    FileRepo & {
      readonly revision: string;
      readonly path: string;
      /** Whether a browser should save the file instead of showing it. */
      readonly download?: boolean | undefined;
    },
): string {
  const { type, repo, revision, path, download } = params;
  const ofModel: (typeof routes.downloadModelFile)['path'] = '/{namespace}/{repo}/resolve/{rev}';
  const ofOthers: (typeof routes.downloadFile)['path'] = '/{repoType}/{namespace}/{repo}/resolve/{rev}';
  const { repoType, ...names } = repoParams({ type, repo });
  const at = { rev: `${revision}/${path}`, ...names };
  const query = { download };
  if (type === 'model') return urlOf(params, { path: ofModel, params: at, query });
  return urlOf(params, { path: ofOthers, params: { repoType, ...at }, query });
}
