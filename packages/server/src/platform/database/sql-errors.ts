import { PLAN_CHANGED } from './named-statements.ts';

/** What a failed statement means, from the codes of either engine. */
export type SqlFault = 'unique' | 'foreign-key' | 'retry' | 'other';

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
    default:
      return 'other';
  }
}

/** Whether SQLite found the database locked by another process. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
