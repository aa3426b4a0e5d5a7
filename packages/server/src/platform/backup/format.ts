import { createHash } from 'node:crypto';

/*
 * A backup is a gzip file of JSON lines: a header; for each table a line that begins it, its rows, and a line that ends
 * it; an end line. An empty gzip member with the SHA-256 of all previous bytes follows (seal.ts).
 */

export const FORMAT = 1;

export interface Header {
  readonly moonbase: 'backup';
  readonly format: number;
  /** The moment of the snapshot, in ISO 8601. */
  readonly createdAt: string;
  /** The version of the program that made the backup. */
  readonly version: string;
  readonly engine: 'sqlite' | 'postgres';
  /** The applied migrations; the last one determines the schema. */
  readonly migrations: readonly string[];
  /** A value sealed with the secret key of the hub; null if nothing was sealed yet. */
  readonly keyCheck: string | null;
  /** Whether the files beside it that the backup needs are freshened once it is written. */
  readonly freshensFiles: boolean;
}

export interface TableSummary {
  readonly table: string;
  readonly rows: number;
  /** A digest of the rows that does not depend on their order or the engine: see `createTableDigest`. */
  readonly sha256: string;
}

export interface Summary {
  readonly header: Header;
  readonly tables: readonly TableSummary[];
  readonly rows: number;
}

/** The progress of a backup or restore. */
export interface Progress {
  readonly table: string;
  readonly rows: number;
}

/** Called between pieces of the work and awaited, so that callers set the pace, and end the work by throwing. */
export type OnProgress = (progress: Progress) => void | Promise<void>;

/** A value of a row: text and numbers as they are, bytes in base64. */
export type Cell = string | number | null | { readonly base64: string };

/** Returns the line of a row; its columns are ordered by name. */
export const lineOfRow = (row: readonly unknown[]): string => JSON.stringify(row.map(toCell));

function toCell(value: unknown): Cell {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  throw new Error(`A database holds a value that backups do not know: ${typeof value}`);
}

export const fromCell = (cell: Cell): string | number | null | Buffer =>
  typeof cell === 'object' && cell !== null ? Buffer.from(cell.base64, 'base64') : cell;

const MASK = (1n << 256n) - 1n;

/**
 * Creates a digest of rows in any order: the sum of the SHA-256 of their lines, modulo 2^256. The engines return rows
 * in different orders, and sorting a large table would take longer than everything else.
 */
export function createTableDigest() {
  let rows = 0;
  let sum = 0n;
  return {
    add(line: string | Uint8Array): void {
      rows += 1;
      sum = (sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) & MASK;
    },
    result: () => ({ rows, sha256: sum.toString(16).padStart(64, '0') }),
  };
}
