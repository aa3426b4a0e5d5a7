import { PLAN_CHANGED } from './named-statements.ts';

/**
 * The meaning of a failed statement, from the codes of either engine. `full`, `read-only` and `unavailable` pass without
 * a change by the hub: the same statement succeeds later.
 */
export type SqlFault = 'unique' | 'foreign-key' | 'retry' | 'full' | 'read-only' | 'unavailable' | 'other';

/** The connection to the database is broken, or none is available. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
  readonly code = CONNECTION_LOST;
}

const CONNECTION_LOST = '08006';

/** The one place that knows the engines' codes (SQLSTATE, SQLite result codes). */
export function sqlFault(error: unknown): SqlFault {
  switch (codeOf(error)) {
    case '23505':
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
      return 'unique';
    case '23503':
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return 'foreign-key';
    case '40001':
    case '40P01':
    case PLAN_CHANGED:
      return 'retry';
    case '53100':
    case 'SQLITE_FULL':
      return 'full';
    case '25006':
      return 'read-only';
    default:
      return UNAVAILABLE.test(codeOf(error)) ? 'unavailable' : 'other';
  }
}

/**
 * Connections (class 08), resources (53), shutdown and fail-over (57P), input and output (58), and the time-outs of
 * statements, locks and transactions that operators set; on SQLite, errors of its files and locks of other processes.
 */
const UNAVAILABLE = /^(08|53|57P|58)[0-9A-Z]+$|^(57014|55P03|25P0[34])$|^SQLITE_(BUSY|IOERR|READONLY|CANTOPEN|NOMEM)/;

/** Returns whether SQLite found the database locked by another process. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
