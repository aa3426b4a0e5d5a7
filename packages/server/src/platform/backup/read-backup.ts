import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import * as z from 'zod';
import { codeOf } from '../error-text.ts';
import { BackupError } from './backup-error.ts';
import { type Cell, createTableDigest, FORMAT, type Header, type Summary, type TableSummary } from './format.ts';

const HeaderLine = z.object({
  moonbase: z.literal('backup'),
  format: z.literal(FORMAT),
  createdAt: z.string(),
  version: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()).nonempty(),
  keyCheck: z.string().nullable(),
  // Versions before did not freshen files.
  freshensFiles: z.boolean().default(false),
});
const TableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
const EndLine = z.object({
  end: z.string(),
  rows: z.number(),
  sha256: z.string().optional(),
  tables: z.number().optional(),
});

/** A batch has so many rows, or fewer as soon as their lines have so many bytes. */
const ROWS_AT_ONCE = 200;
const BYTES_AT_ONCE = 1024 * 1024;
/** A line above this length means that the file is not a backup; no row comes close. */
const MAX_LINE = 128 * 1024 * 1024;
const MAX_HEADER = 1024 * 1024;

/** A batch of rows of a table. */
export interface RowBatch {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Reads the header of a backup. Throws an error that says what is wrong with the file. */
export async function readHeader(file: string): Promise<Header> {
  for await (const line of linesOf(file, MAX_HEADER)) return headerOf(file, line);
  throw damaged(file);
}

function headerOf(file: string, line: Buffer): Header {
  const value = parsed(file, line);
  const { format } = z.looseObject({ moonbase: z.literal('backup'), format: z.number() }).safeParse(value).data ?? {};
  if (format === undefined) throw new BackupError(`${file} is not a backup of Moonbase.`);
  if (format > FORMAT)
    throw new BackupError(
      `${file} has format ${format}; this version of Moonbase reads format ${FORMAT}. Restore it with the version that made it, or a newer one.`,
    );
  return parseLine(file, HeaderLine, value);
}

/** Yields the rows of all tables in the order of the file; returns a summary. Throws at the first fault. */
export async function* readRows(file: string): AsyncGenerator<RowBatch, Summary> {
  const lines = linesOf(file);
  const next = async (): Promise<Buffer> => {
    const { value, done } = await lines.next();
    if (done) throw damaged(file);
    return value;
  };
  try {
    const header = headerOf(file, await next());
    const tables: TableSummary[] = [];
    for (;;) {
      const value = parsed(file, await next());
      const begun = TableLine.safeParse(value).data;
      if (begun === undefined) {
        const rows = tables.reduce((sum, table) => sum + table.rows, 0);
        const { end, ...counts } = parseLine(file, EndLine, value);
        const { done } = await lines.next();
        if (end !== 'backup' || counts.tables !== tables.length || counts.rows !== rows || !done) throw damaged(file);
        return { header, tables, rows };
      }
      tables.push({ table: begun.table, ...(yield* rowsOf(file, begun, next)) });
    }
  } finally {
    await lines.return(undefined);
  }
}

async function* rowsOf(
  file: string,
  { table, columns }: z.output<typeof TableLine>,
  next: () => Promise<Buffer>,
): AsyncGenerator<RowBatch, { rows: number; sha256: string }> {
  const digest = createTableDigest();
  let rows: Cell[][] = [];
  let bytes = 0;
  for (;;) {
    const line = await next();
    const value = parsed(file, line);
    if (!Array.isArray(value)) {
      if (rows.length > 0) yield { table, columns, rows };
      const end = parseLine(file, EndLine, value);
      const result = digest.result();
      if (end.end !== table || end.rows !== result.rows || end.sha256 !== result.sha256) throw damaged(file);
      return result;
    }
    digest.add(line);
    if (value.length !== columns.length) throw damaged(file);
    rows.push(value);
    bytes += line.length;
    if (rows.length < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
    yield { table, columns, rows };
    rows = [];
    bytes = 0;
  }
}

async function* linesOf(file: string, maxLine = MAX_LINE): AsyncGenerator<Buffer, undefined> {
  const unpacked = createGunzip({ chunkSize: 256 * 1024 });
  // Errors are thrown to the reader of `unpacked`.
  pipeline(createReadStream(file), unpacked, () => {});
  let open: Buffer[] = [];
  let length = 0;
  try {
    const chunks: AsyncIterable<Buffer> = unpacked;
    for await (const chunk of chunks) {
      let from = 0;
      for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
        const piece = chunk.subarray(from, to);
        yield open.length > 0 ? Buffer.concat([...open, piece]) : piece;
        open = [];
        length = 0;
        from = to + 1;
      }
      open.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > maxLine) throw damaged(file);
    }
  } catch (error) {
    throw codeOf(error)?.startsWith('Z_') ? damaged(file) : error;
  }
  if (length > 0) throw damaged(file);
}

function parsed(file: string, line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    throw damaged(file);
  }
}

function parseLine<Schema extends z.ZodType>(file: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw damaged(file);
  return result.data;
}

const damaged = (file: string) => new BackupError(`${file} is damaged: its content is not what a backup holds.`);
