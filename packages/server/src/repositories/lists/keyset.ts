import { createHash } from 'node:crypto';
import { badRequest } from '../../platform/http/errors.ts';
import { keyFromCursor } from '../../platform/http/pagination.ts';

/** The position of a row in a list that is sorted by a whole number and then by id. */
export interface Position {
  readonly value: number;
  readonly id: string;
}

/** Returns a short text that differs for lists that differ. */
export const digestOf = (filter: object): string =>
  createHash('sha256').update(JSON.stringify(filter)).digest('hex').slice(0, 8);

/** Returns the key of a cursor, which continues no other list than that of the digest. */
export const keyOf = ({ value, id }: Position, digest: string): string => `${value} ${id} ${digest}`;

/** Returns the position in a cursor. Throws 400 for one of another list. */
export function positionFrom(cursor: string | undefined, digest: string): Position | undefined {
  if (cursor === undefined) return undefined;
  const [, value = '', id = '', ofList] = keyFromCursor(cursor, /^(\d{1,15}) ([0-9a-f]{24}) ([0-9a-f]{8})$/);
  if (ofList !== digest) throw badRequest('`cursor` belongs to a list with other filters; begin without it');
  return { value: Number(value), id };
}

/** Compares two positions in a list, for sorting. */
export function comparePositions(one: Position, other: Position, direction: 'asc' | 'desc'): number {
  const order = one.value - other.value || (one.id === other.id ? 0 : one.id < other.id ? -1 : 1);
  return direction === 'asc' ? order : -order;
}

/** Returns the first rows of several sorted lists. */
export const firstOf = <Row>(
  rows: readonly Row[],
  positionOf: (row: Row) => Position,
  direction: 'asc' | 'desc',
  limit: number,
): Row[] =>
  rows
    .map((row) => ({ row, at: positionOf(row) }))
    .sort(({ at: one }, { at: other }) => comparePositions(one, other, direction))
    .slice(0, limit)
    .map(({ row }) => row);
