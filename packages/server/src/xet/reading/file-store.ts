import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { XetFileChunkRow, XetFileRow, XetFileXorbRow } from '../tables.ts';

/** A file whose chunks are known. */
export interface KnownFile {
  readonly sha256: string;
  readonly size: number;
  readonly chunks_sha256: string;
}

export type FileXorb = Omit<XetFileXorbRow, 'sha256'>;
export type FileChunk = Omit<XetFileChunkRow, 'sha256'>;

/** The files of a repository that can be downloaded through Xet. */
export interface FilesOfRepo {
  readonly repoId: string;
  /** Only files that the repository has since this time or longer. */
  readonly pushedBefore: number;
}

/** Returns the file with a Xet hash, if the repository has it and its bytes are sound. */
export async function findFile(
  executor: ReadExecutor,
  { repoId, pushedBefore }: FilesOfRepo,
  hash: string,
): Promise<KnownFile | undefined> {
  const row = await executor
    .selectFrom('xet_files')
    .innerJoin('repo_files', 'repo_files.sha256', 'xet_files.sha256')
    .innerJoin('blobs', 'blobs.sha256', 'xet_files.sha256')
    .select(['xet_files.sha256', 'xet_files.size', 'xet_files.chunks_sha256'])
    .where('xet_files.hash', '=', hash)
    .where('repo_files.repo_id', '=', repoId)
    .where('repo_files.pushed_at', '<=', pushedBefore)
    .where('blobs.state', '=', 'stored')
    .executeTakeFirst();
  return row?.chunks_sha256 ? { ...row, chunks_sha256: row.chunks_sha256 } : undefined;
}

/** Returns the xorbs of a file that have some of its bytes, in order. */
export const xorbsWithin = (
  executor: ReadExecutor,
  sha256: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<FileXorb[]> =>
  executor
    .selectFrom('xet_file_xorbs')
    .select(['first_chunk', 'chunks', 'first_byte', 'bytes', 'hash'])
    .where('sha256', '=', sha256)
    .where('first_byte', '<=', last)
    .where((is) => is(is('first_byte', '+', is.ref('bytes')), '>', first))
    .orderBy('first_byte')
    .execute();

/** Returns a xorb of a file that a repository has, and the list of its chunks. */
export const findFileXorb = (
  executor: ReadExecutor,
  { repoId, sha256, firstChunk }: { readonly repoId: string; readonly sha256: string; readonly firstChunk: number },
): Promise<(FileXorb & Pick<XetFileRow, 'chunks_sha256'>) | undefined> =>
  executor
    .selectFrom('xet_file_xorbs')
    .innerJoin('xet_files', 'xet_files.sha256', 'xet_file_xorbs.sha256')
    .innerJoin('repo_files', 'repo_files.sha256', 'xet_files.sha256')
    .innerJoin('blobs', 'blobs.sha256', 'xet_files.sha256')
    .select(['first_chunk', 'chunks', 'first_byte', 'bytes', 'xet_file_xorbs.hash', 'chunks_sha256'])
    .where('xet_file_xorbs.sha256', '=', sha256)
    .where('first_chunk', '=', firstChunk)
    .where('repo_files.repo_id', '=', repoId)
    .where('blobs.state', '=', 'stored')
    .executeTakeFirst();

/** Returns the newest file of a repository that has a chunk which clients ask for, and the number of that chunk. */
export async function findChunk(
  executor: ReadExecutor,
  { repoId, pushedBefore }: FilesOfRepo,
  chunkHash: string,
): Promise<(Pick<KnownFile, 'sha256' | 'chunks_sha256'> & { readonly chunk: number }) | undefined> {
  const row = await executor
    .selectFrom('xet_file_chunks')
    .innerJoin('xet_files', 'xet_files.sha256', 'xet_file_chunks.sha256')
    .innerJoin('repo_files', 'repo_files.sha256', 'xet_files.sha256')
    .innerJoin('blobs', 'blobs.sha256', 'xet_files.sha256')
    .select(['xet_files.sha256', 'xet_files.chunks_sha256', 'xet_file_chunks.chunk'])
    .where('xet_file_chunks.chunk_hash', '=', chunkHash)
    .where('repo_files.repo_id', '=', repoId)
    .where('repo_files.pushed_at', '<=', pushedBefore)
    .where('blobs.state', '=', 'stored')
    .orderBy('repo_files.pushed_at', 'desc')
    .executeTakeFirst();
  return row?.chunks_sha256 ? { ...row, chunks_sha256: row.chunks_sha256 } : undefined;
}

/** Returns some xorbs of a file in order, from the one that has a chunk. */
export const xorbsFrom = (
  executor: ReadExecutor,
  sha256: string,
  { chunk, limit }: { readonly chunk: number; readonly limit: number },
): Promise<FileXorb[]> =>
  executor
    .selectFrom('xet_file_xorbs')
    .select(['first_chunk', 'chunks', 'first_byte', 'bytes', 'hash'])
    .where('sha256', '=', sha256)
    .where((is) => is(is('first_chunk', '+', is.ref('chunks')), '>', chunk))
    .orderBy('first_chunk')
    .limit(limit)
    .execute();

/** A xorb of a file that a repository has. */
export interface XorbOfFile extends FileXorb {
  readonly sha256: string;
  readonly chunks_sha256: string;
}

/** Returns those of some xorbs that the files of a repository have. */
export async function findXorbsOfFiles(
  executor: ReadExecutor,
  { repoId, pushedBefore }: FilesOfRepo,
  hashes: readonly string[],
): Promise<XorbOfFile[]> {
  const rows = await executor
    .selectFrom('xet_file_xorbs')
    .innerJoin('xet_files', 'xet_files.sha256', 'xet_file_xorbs.sha256')
    .innerJoin('repo_files', 'repo_files.sha256', 'xet_files.sha256')
    .innerJoin('blobs', 'blobs.sha256', 'xet_files.sha256')
    .select(['first_chunk', 'chunks', 'first_byte', 'bytes', 'xet_file_xorbs.hash'])
    .select(['xet_files.sha256', 'xet_files.chunks_sha256'])
    .where(whereIn(executor, 'xet_file_xorbs.hash', hashes))
    .where('repo_files.repo_id', '=', repoId)
    .where('repo_files.pushed_at', '<=', pushedBefore)
    .where('blobs.state', '=', 'stored')
    .execute();
  return rows.flatMap(({ chunks_sha256, ...row }) => (chunks_sha256 === null ? [] : [{ ...row, chunks_sha256 }]));
}

/** Returns the Xet hashes of those of some files that can be downloaded through Xet. */
export async function hashesOf(
  executor: ReadExecutor,
  { repoId, pushedBefore }: FilesOfRepo,
  sha256s: readonly string[],
): Promise<Map<string, string>> {
  if (sha256s.length === 0) return new Map();
  const rows = await executor
    .selectFrom('xet_files')
    .innerJoin('repo_files', 'repo_files.sha256', 'xet_files.sha256')
    .innerJoin('blobs', 'blobs.sha256', 'xet_files.sha256')
    .select(['xet_files.sha256', 'xet_files.hash'])
    .where('repo_files.repo_id', '=', repoId)
    .where('repo_files.pushed_at', '<=', pushedBefore)
    .where(whereIn(executor, 'xet_files.sha256', sha256s))
    .where('blobs.state', '=', 'stored')
    .execute();
  return new Map(rows.flatMap(({ sha256, hash }) => (hash === null ? [] : [[sha256, hash]])));
}

/** Records the chunks of a file. */
export async function putFile(
  tx: Executor,
  file: KnownFile & { readonly hash: string },
  { xorbs, asked }: { readonly xorbs: readonly FileXorb[]; readonly asked: readonly FileChunk[] },
): Promise<void> {
  await tx.deleteFrom('xet_files').where('sha256', '=', file.sha256).execute();
  await tx
    .insertInto('xet_files')
    .values({ ...file, retry_at: null })
    .execute();
  for (let at = 0; at < xorbs.length; at += ROWS_PER_INSERT)
    await tx
      .insertInto('xet_file_xorbs')
      .values(xorbs.slice(at, at + ROWS_PER_INSERT).map((xorb) => ({ ...xorb, sha256: file.sha256 })))
      .execute();
  for (let at = 0; at < asked.length; at += ROWS_PER_INSERT)
    await tx
      .insertInto('xet_file_chunks')
      .values(asked.slice(at, at + ROWS_PER_INSERT).map((chunk) => ({ ...chunk, sha256: file.sha256 })))
      .execute();
}

const ROWS_PER_INSERT = 500;
