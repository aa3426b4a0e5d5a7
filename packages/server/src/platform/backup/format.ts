import { createHash } from 'node:crypto';

/*
 * A backup is a gzip file of JSON lines: a header; of each table a line that begins it, its rows, and a line that ends
 * it; an end. What follows is an empty gzip member with the SHA-256 of all bytes before it (seal.ts).
 *
 *   {"moonbase":"backup","format":1,"createdAt":"…","version":"0.1.0","engine":"sqlite","migrations":[…],"keyCheck":"…"}
 *   {"table":"accounts","columns":["avatar_url","created_at",…]}
 *   [null,1764000000000,…]
 *   {"end":"accounts","rows":1,"sha256":"…"}
 *   {"end":"backup","tables":1,"rows":1}
 */

export const FORMAT = 1;

export interface Header {
  readonly moonbase: 'backup';
  readonly format: number;
  /** ISO 8601: the moment that the backup shows. */
  readonly createdAt: string;
  /** Of the program that made it. */
  readonly version: string;
  readonly engine: 'sqlite' | 'postgres';
  /** What the database had gone through: the last one is its schema. */
  readonly migrations: readonly string[];
  /** Sealed with the secret key of the hub; null where nothing was sealed yet. */
  readonly keyCheck: string | null;
}

export interface TableSummary {
  readonly table: string;
  readonly rows: number;
  /** Of the content, in whatever order, on either engine: see `createTableDigest`. */
  readonly sha256: string;
}

export interface Summary {
  readonly header: Header;
  readonly tables: readonly TableSummary[];
  readonly rows: number;
}

/** What was done so far. */
export interface Progress {
  readonly table: string;
  readonly rows: number;
}

/** A value of a row: text and numbers as they are, bytes in base64. */
export type Cell = string | number | null | { readonly base64: string };

/** A row as it stands in its line; the columns are in the order of their names. */
export const lineOfRow = (row: readonly unknown[]): string => JSON.stringify(row.map(toCell));

function toCell(value: unknown): Cell {
  if (value === null || typeof value === 'string' || Number.isSafeInteger(value))
    return value as string | number | null;
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  throw new Error(`A database holds a value that backups do not know: ${typeof value}`);
}

export const fromCell = (cell: Cell): string | number | null | Buffer =>
  typeof cell === 'object' && cell !== null ? Buffer.from(cell.base64, 'base64') : cell;

const MASK = (1n << 256n) - 1n;

/**
 * The sum of the SHA-256 of the lines of all rows, modulo 2^256: the engines give rows in different orders, and putting
 * a large table into one order would take longer than all the rest.
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
