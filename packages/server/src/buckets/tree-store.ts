import { sql } from 'kysely';
import { isPostgres, type ReadExecutor } from '../platform/database/transaction.ts';
import { LAST_CHARACTER } from './paths.ts';
import type { BucketFileRow } from './tables.ts';

export type Direction = 'asc' | 'desc';

/** Returns the next files of a bucket whose paths begin with a text, after a path in the direction of the list. */
export function listFiles(
  executor: ReadExecutor,
  bucketId: string,
  {
    prefix,
    after,
    direction,
    limit,
  }: {
    readonly prefix: string;
    readonly after: string | undefined;
    readonly direction: Direction;
    readonly limit: number;
  },
): Promise<BucketFileRow[]> {
  const all = executor.selectFrom('bucket_files').selectAll().where('bucket_id', '=', bucketId);
  const some = prefix === '' ? all : all.where('path', '>=', prefix).where('path', '<', `${prefix}${LAST_CHARACTER}`);
  const rest = after === undefined ? some : some.where('path', direction === 'asc' ? '>' : '<', after);
  return rest.orderBy('path', direction).limit(limit).execute();
}

/** Returns the next files of a bucket in the order of their uploads; those of one moment in the order of their paths. */
export function listUploads(
  executor: ReadExecutor,
  bucketId: string,
  {
    after,
    direction,
    limit,
  }: {
    readonly after: { readonly uploadedAt: number; readonly path: string } | undefined;
    readonly direction: Direction;
    readonly limit: number;
  },
): Promise<BucketFileRow[]> {
  const all = executor.selectFrom('bucket_files').selectAll().where('bucket_id', '=', bucketId);
  const beyond = sql.raw(direction === 'asc' ? '>' : '<');
  const rest = after
    ? all.where(sql<boolean>`(uploaded_at, path) ${beyond} (${after.uploadedAt}, ${after.path})`)
    : all;
  return rest.orderBy('uploaded_at', direction).orderBy('path', direction).limit(limit).execute();
}

/** Where a file or a folder right below a folder is. */
export interface FolderPlace {
  readonly path: string;
  readonly isFolder: boolean;
}

export interface FolderEntry extends FolderPlace {
  /** When the file, or the first one in the folder, was uploaded. */
  readonly uploadedAt: number;
}

/** Comes after the character that ends the name of a folder. */
const AFTER_SLASH = '0';
/** Comes before every character that a path can have. */
const FIRST_CHARACTER = '\u0001';

/**
 * Returns the next entries of a folder; `prefix` is empty or ends with a slash. After each folder the query jumps over
 * its files, so that it costs a look-up for each entry.
 */
export async function listFolder(
  executor: ReadExecutor,
  bucketId: string,
  {
    prefix,
    after,
    limit,
  }: { readonly prefix: string; readonly after: FolderPlace | undefined; readonly limit: number },
): Promise<FolderEntry[]> {
  const start = after ? `${after.path}${after.isFolder ? AFTER_SLASH : FIRST_CHARACTER}` : prefix;
  const end = `${prefix}${LAST_CHARACTER}`;
  // SQL counts characters, not units of 16 bits.
  const skipped = Array.from(prefix).length;
  const find = sql.raw(isPostgres(executor) ? 'strpos' : 'instr');
  const slash = sql`${find}(substr(entry.path, ${sql.lit(skipped + 1)}), '/')`;
  const next = sql`case when ${slash} > 0
    then substr(entry.path, 1, ${sql.lit(skipped)} + ${slash} - 1) || ${AFTER_SLASH}
    else entry.path || ${FIRST_CHARACTER} end`;
  const first = (from: typeof next) => sql`(
    select bucket_files.path from bucket_files
    where bucket_files.bucket_id = ${bucketId} and bucket_files.path >= ${from} and bucket_files.path < ${end}
    order by bucket_files.path limit 1
  )`;
  const { rows } = await sql<{ path: string; uploaded_at: string | number }>`
    with recursive entry (path, number) as (
      select ${first(sql`${start}`)}, 1
      union all
      select ${first(next)}, entry.number + 1 from entry where entry.path is not null and entry.number < ${sql.lit(limit)}
    )
    select file.path, file.uploaded_at from entry
      join bucket_files file on file.bucket_id = ${bucketId} and file.path = entry.path
    order by entry.number
  `.execute(executor);
  return rows.map(({ path, uploaded_at }) => {
    const end = path.indexOf('/', prefix.length);
    const isFolder = end >= 0;
    return { path: isFolder ? path.slice(0, end) : path, isFolder, uploadedAt: Number(uploaded_at) };
  });
}
