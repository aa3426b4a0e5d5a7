import { type RawBuilder, sql } from 'kysely';
import { privateRowsOf, type Readable, type Reader, readableBy, repoColumnsOf } from '../../access/index.ts';
import type { ListPart, SortedList } from './sorted-list-store.ts';

const visibility = (isPrivate: boolean) => sql.lit(isPrivate ? 1 : 0);

/** The accounts whose private things a user may see. */
const accountsOf = (userId: Reader['userId'] = '') =>
  sql`select ${userId} as id union all select m.org_id from memberships m where m.user_id = ${userId}`;

/**
 * The two parts of a list of a table: what is public, and the private rows that the reader may read. The indexes of the sorting begin with
 * the type, if there is one, and the visibility.
 */
export function listByVisibility(
  table: string,
  kind: Readable,
  reader: Reader,
  type?: string,
): Pick<SortedList, 'table' | 'readable' | 'parts'> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const columns = repoColumnsOf(table);
  const part = (isPrivate: boolean, more: Pick<ListPart, 'hinted' | 'granted'>): ListPart => ({
    walked: [
      ...(type === undefined ? [] : [sql`${column('type')} = ${type}`]),
      sql`${columns.private} = ${visibility(isPrivate)}`,
    ],
    lookedUp: [
      ...(type === undefined ? [] : [sql`${column('type')} || '' = ${type}`]),
      sql`${columns.private} + 0 = ${visibility(isPrivate)}`,
    ],
    ...more,
  });
  const ofType: RawBuilder<unknown> = type === undefined ? sql`1 = 1` : sql`o.type || '' = ${type}`;
  return {
    table,
    readable: [readableBy(columns, reader, kind)],
    parts: [
      part(false, { hinted: [], granted: [] }),
      part(true, {
        hinted: [sql`${columns.ownerId} || '' in (${accountsOf(reader.userId)})`],
        granted: privateRowsOf(sql.table(table), kind, reader, ofType),
      }),
    ],
  };
}
