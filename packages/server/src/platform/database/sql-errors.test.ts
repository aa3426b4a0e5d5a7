import { expect, test } from 'vitest';
import { ConnectionLost, type SqlFault, sqlFault } from './sql-errors.ts';

const coded = (code: string) => Object.assign(new Error('refused'), { code });

test.each<[string, SqlFault]>([
  ['23505', 'unique'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'unique'],
  ['23503', 'foreign-key'],
  ['40P01', 'retry'],
  ['53100', 'full'],
  ['SQLITE_FULL', 'full'],
  ['25006', 'read-only'],
  ['08006', 'unavailable'],
  ['53300', 'unavailable'],
  ['57P01', 'unavailable'],
  ['57P03', 'unavailable'],
  ['58030', 'unavailable'],
  ['57014', 'unavailable'],
  ['55P03', 'unavailable'],
  ['25P03', 'unavailable'],
  ['25P04', 'unavailable'],
  ['SQLITE_BUSY_SNAPSHOT', 'unavailable'],
  ['SQLITE_IOERR_WRITE', 'unavailable'],
  ['42601', 'other'],
  ['SQLITE_ERROR', 'other'],
  ['ECONNREFUSED', 'other'],
])('%s means %s', (code, fault) => {
  expect(sqlFault(coded(code))).toBe(fault);
});

test('a lost connection means that the database is unavailable, whatever code the socket reported', () => {
  const error = new ConnectionLost('refused', { cause: coded('ECONNREFUSED') });
  expect(sqlFault(error)).toBe('unavailable');
});
